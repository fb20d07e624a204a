# SPDX-License-Identifier: Apache-2.0
# PyTorch: streams, events, threads, pinned memory, an error in a kernel, the profiler
import os
import sys
import threading

import torch

x = torch.zeros(1000000, device="cuda")
streams = [torch.cuda.Stream() for _ in range(8)]
events = []
for i, s in enumerate(streams):
    if events:
        s.wait_event(events[-1])
    with torch.cuda.stream(s):
        x.add_(i)
        events.append(s.record_event())
events[-1].synchronize()
print("chain of streams", x[0].item(), x[-1].item())

results = {}


def work(i):
    with torch.cuda.stream(torch.cuda.Stream()):
        y = torch.full((100000,), float(i), device="cuda")
        for _ in range(200):
            y = y * 1.0 + 1
        results[i] = y.sum().item()


threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
for t in threads:
    t.start()
for t in threads:
    t.join()
print("threads", [results[i] for i in range(8)])

p = torch.arange(1 << 20, dtype=torch.float32).pin_memory()
d = p.to("cuda", non_blocking=True)
q = torch.empty_like(p).pin_memory()
q.copy_(d, non_blocking=True)
torch.cuda.synchronize()
print("pinned both ways", bool((p == q).all()), p.is_pinned())

a, b = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
a.record()
(d * 2).sum()
b.record()
b.synchronize()
print("elapsed is positive", a.elapsed_time(b) > 0, a.query())

with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
    (d + 1).sum().item()
print("profiled", any("aten::sum" in e.key for e in profile.key_averages()))

try:
    torch.zeros(3, device="cuda")[torch.tensor([7], device="cuda")].cpu()
except Exception as e:
    print("an index that is out of bounds:", type(e).__name__, "device-side assert" in str(e))
try:
    torch.zeros(3, device="cuda").sum().item()
except Exception as e:
    print("and from then on:", type(e).__name__, "device-side assert" in str(e))
sys.stdout.flush()
os._exit(0)  # nothing can be cleaned up in a broken context
