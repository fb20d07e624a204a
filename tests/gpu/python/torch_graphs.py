# SPDX-License-Identifier: Apache-2.0
# PyTorch: CUDA graphs, captured by hand and by make_graphed_callables
import hashlib
import os
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.use_deterministic_algorithms(True, warn_only=True)
torch.manual_seed(1)


def digest(*tensors):
    h = hashlib.sha256()
    for t in tensors:
        h.update(t.detach().cpu().numpy().tobytes())
    return h.hexdigest()[:24]


# A whole training step in a graph.
model = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 8)).cuda()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, capturable=True)
x, y = torch.zeros(32, 64, device="cuda"), torch.zeros(32, 8, device="cuda")


def step():
    optimizer.zero_grad(set_to_none=True)
    loss = F.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    return loss


side = torch.cuda.Stream()
side.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(side):
    for _ in range(3):
        step()
torch.cuda.current_stream().wait_stream(side)
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    loss = step()
for i in range(20):
    x.copy_(torch.randn(32, 64, device="cuda"))
    y.copy_(torch.randn(32, 8, device="cuda"))
    graph.replay()
print("train", loss.item().hex(), digest(*model.parameters()))

# Random numbers in a graph, and a graph that shares another one's memory.
a = torch.zeros(1000, device="cuda")
g1, g2 = torch.cuda.CUDAGraph(), torch.cuda.CUDAGraph()
with torch.cuda.graph(g1):
    b = a + torch.rand(1000, device="cuda")
with torch.cuda.graph(g2, pool=g1.pool()):
    c = b * 2
results = []
for _ in range(3):
    g1.replay()
    g2.replay()
    results.append(c.clone())
print("random", digest(*results), bool((results[0] != results[1]).any()))

# Two streams inside of one capture.
g3 = torch.cuda.CUDAGraph()
other = torch.cuda.Stream()
with torch.cuda.graph(g3):
    other.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(other):
        d = a + 1
    e = a + 2
    torch.cuda.current_stream().wait_stream(other)
    f = d + e
a.fill_(5)
g3.replay()
print("fork and join", f.sum().item())

graphed = torch.cuda.make_graphed_callables(nn.Linear(64, 64).cuda(), (torch.randn(16, 64, device="cuda", requires_grad=True),))
z = torch.randn(16, 64, device="cuda", requires_grad=True)
w = graphed(z)
w.sum().backward()
print("graphed callable", digest(w, z.grad))

# What a capture forbids must be refused, and the device must go on.
try:
    g4 = torch.cuda.CUDAGraph()
    with torch.cuda.graph(g4):
        a.sum().item()
except Exception as error:
    print("synchronising in a capture:", type(error).__name__)
try:
    torch.cuda.synchronize()
    print("after it", a.sum().item())
except Exception as error:
    print("after it:", type(error).__name__)
sys.stdout.flush()
os._exit(0)  # a capture that was broken off is nothing to clean up after
