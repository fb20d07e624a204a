# SPDX-License-Identifier: Apache-2.0
# PyTorch: CPU tensors that processes share, registered and copied to and from the GPU
import multiprocessing.shared_memory

import numpy
import torch
import torch.multiprocessing as mp

REGISTERED = 1 << 20  # elements


def register(x):
    r = torch.cuda.cudart().cudaHostRegister(x.data_ptr(), x.numel() * x.element_size(), 0)
    if int(r) != 0:
        raise SystemExit("cudaHostRegister: %s" % r)


def unregister(x):
    torch.cuda.cudart().cudaHostUnregister(x.data_ptr())


def up_and_down(x):
    """On the GPU and back, by the tensor's own memory."""
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        y = x.to("cuda", non_blocking=True)
        y += 1
        x.copy_(y, non_blocking=True)
    stream.synchronize()


def child(x, done):
    register(x)
    up_and_down(x)
    done.put((bool(x.is_pinned()), x[:3].tolist()))
    unregister(x)


def main():
    mp.set_start_method("spawn")
    for strategy in ("file_descriptor", "file_system"):
        mp.set_sharing_strategy(strategy)
        x = torch.arange(REGISTERED, dtype=torch.float32).share_memory_()
        torch.cuda.init()
        register(x)
        up_and_down(x)
        done = mp.Queue()
        p = mp.Process(target=child, args=(x, done))
        p.start()
        print(strategy, "the child has", done.get(timeout=120))
        p.join(30)
        print(strategy, "and so have we", x[:3].tolist(), x.sum().item(), p.exitcode)
        up_and_down(x)
        print(strategy, "then", x[-1].item(), x.is_pinned())
        unregister(x)
        print(strategy, "at last", x.is_pinned())
    memory = multiprocessing.shared_memory.SharedMemory(create=True, size=4 * REGISTERED)
    a = numpy.frombuffer(memory.buf, dtype=numpy.float32)
    x = torch.from_numpy(a)
    x.fill_(3)
    register(x)
    up_and_down(x)
    print("multiprocessing.shared_memory", a.sum())
    # A graph reads it at every run.
    y, g = torch.zeros(REGISTERED, device="cuda"), torch.cuda.CUDAGraph()
    torch.cuda.synchronize()
    with torch.cuda.graph(g):
        y.copy_(x, non_blocking=True)
    a[:] = 7
    g.replay()
    torch.cuda.synchronize()
    print("by a graph", y.sum().item())
    unregister(x)
    del a, x
    memory.close()
    memory.unlink()


if __name__ == "__main__":
    main()
