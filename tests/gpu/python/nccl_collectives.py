# SPDX-License-Identifier: Apache-2.0
# NVIDIA's NCCL between all GPUs, a process for each: collectives and sends
import os
import sys
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def work(rank, world, store, results):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method="file://" + store, rank=rank, world_size=world)
    lines = []
    x = torch.arange(1000, device="cuda", dtype=torch.float32) + rank
    dist.all_reduce(x)
    lines.append("all_reduce %g %g" % (x[0].item(), x[-1].item()))
    x = torch.full((5,), float(rank + 7), device="cuda")
    dist.broadcast(x, world - 1)
    lines.append("broadcast %g" % x[0].item())
    parts = [torch.empty(10, device="cuda") for _ in range(world)]
    dist.all_gather(parts, torch.full((10,), float(rank), device="cuda"))
    lines.append("all_gather %s" % [p[0].item() for p in parts])
    y = torch.empty(100, device="cuda")
    dist.reduce_scatter_tensor(y, torch.arange(100 * world, device="cuda", dtype=torch.float32))
    lines.append("reduce_scatter %g" % y[-1].item())
    if world > 1:
        lines.append("from the neighbour %g" % neighbour(rank, world))
    large = torch.ones(1 << 24, device="cuda")
    for _ in range(5):
        dist.all_reduce(large, op=dist.ReduceOp.AVG)
    lines.append("large %g" % large.sum().item())
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(8, 8, device="cuda"), device_ids=[rank])
    model(torch.ones(4, 8, device="cuda") * (rank + 1)).sum().backward()
    lines.append("gradient %g" % next(model.parameters()).grad[0, 0].item())
    results.put((rank, lines))
    dist.barrier()
    dist.destroy_process_group()


def neighbour(rank, world):
    z = torch.full((1 << 20,), float(rank), device="cuda")
    w = torch.empty_like(z)
    for op in dist.batch_isend_irecv([dist.P2POp(dist.isend, z, (rank + 1) % world), dist.P2POp(dist.irecv, w, (rank - 1) % world)]):
        op.wait()
    return w[-1].item()


def main():
    world = 1 if os.environ.get("ALONE") == "1" else torch.cuda.device_count()
    if world < 2 and os.environ.get("ALONE") != "1":
        print("one GPU here; this needs two", file=sys.stderr)
        sys.exit(77)
    context = mp.get_context("spawn")
    results = context.SimpleQueue()
    with tempfile.TemporaryDirectory() as folder:
        processes = mp.spawn(work, (world, os.path.join(folder, "store"), results), nprocs=world, join=False)
        while not processes.join():  # raises what a process raised
            pass
        got = sorted(results.get() for _ in range(world))
    for rank, lines in got:
        for line in lines:
            print(rank, line)


if __name__ == "__main__":
    main()
