# SPDX-License-Identifier: Apache-2.0
# PyTorch: torch.compile, with Triton's kernels and with CUDA graphs
import hashlib

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.use_deterministic_algorithms(True, warn_only=True)


def digest(*tensors):
    h = hashlib.sha256()
    for t in tensors:
        h.update(t.detach().cpu().numpy().tobytes())
    return h.hexdigest()[:24]


def pointwise(x, y):
    return (x.sin() + y.cos()).relu().sum(-1).softmax(0)


torch.manual_seed(1)
x, y = torch.randn(512, 300, device="cuda"), torch.randn(512, 300, device="cuda")
f = torch.compile(pointwise)
print("pointwise", digest(f(x, y)), bool(torch.allclose(f(x, y), pointwise(x, y), atol=1e-5)))

model = nn.Sequential(nn.Linear(64, 128), nn.GELU(), nn.LayerNorm(128), nn.Linear(128, 8)).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
compiled = torch.compile(model, mode="reduce-overhead")
for step in range(6):
    x, y = torch.randn(32, 64, device="cuda"), torch.randn(32, 8, device="cuda")
    torch.compiler.cudagraph_mark_step_begin()
    optimizer.zero_grad()
    loss = F.mse_loss(compiled(x), y)
    loss.backward()
    optimizer.step()
    print("train", step, loss.item().hex())
print("weights", digest(*model.parameters()))
