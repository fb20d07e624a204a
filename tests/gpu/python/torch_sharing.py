# SPDX-License-Identifier: Apache-2.0
# PyTorch: tensors on the GPU shared with other processes, and an event
import torch
import torch.multiprocessing as mp


def child(tensors, event, done):
    x = tensors.get()
    event_there = tensors.get()
    event_there.wait()
    seen = x.sum().item()
    x.mul_(2)
    torch.cuda.synchronize()
    done.put(seen)
    done.put(torch.arange(5, device="cuda"))
    event.wait()


def main():
    mp.set_start_method("spawn")
    tensors, done, event = mp.Queue(), mp.Queue(), mp.Event()
    p = mp.Process(target=child, args=(tensors, event, done))
    p.start()
    x = torch.ones(1000, device="cuda")
    ready = torch.cuda.Event(interprocess=True)
    ready.record()
    tensors.put(x)
    tensors.put(ready)
    print("the child saw", done.get(timeout=60))
    print("it made", x.sum().item())
    theirs = done.get(timeout=60)
    print("from the child", theirs.tolist())
    del theirs
    event.set()
    p.join(30)
    print("exit status", p.exitcode)


if __name__ == "__main__":
    main()
