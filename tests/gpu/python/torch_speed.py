# SPDX-License-Identifier: Apache-2.0
# PyTorch's speed where calls are many and small, and where they are few and
# large. A round for each line of input; ONLY names the figures that are wanted.
import os
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(1)
torch.backends.cudnn.benchmark = False


def timed(times, step, unit=1e6):
    """The mean time of `times` steps, the work on the GPU included."""
    step()
    torch.cuda.synchronize()
    began = time.perf_counter()
    for _ in range(times):
        step()
    torch.cuda.synchronize()
    return (time.perf_counter() - began) / times * unit


def torch_add():
    x = torch.zeros(1000, device="cuda")
    return lambda: timed(10000, lambda: x.add_(1)), "us"


def torch_item():
    x = torch.ones(1000, device="cuda")
    return lambda: timed(2000, lambda: x[0].item()), "us"


def training(model, optimizer, x, y, loss):
    def step():
        optimizer.zero_grad(set_to_none=True)
        loss(model(x), y).backward()
        optimizer.step()

    return step


def torch_train_conv():
    model = nn.Sequential(
        nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(32 * 8 * 8, 10)).cuda()
    x = torch.randn(32, 3, 32, 32, device="cuda")
    y = torch.randint(10, (32,), device="cuda")
    step = training(model, torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9), x, y, F.cross_entropy)
    return lambda: timed(100, step), "us"


def torch_train_transformer():
    model = nn.TransformerEncoderLayer(256, 4, 1024, dropout=0.1, batch_first=True).cuda()
    x = torch.randn(8, 64, 256, device="cuda")
    step = training(model, torch.optim.AdamW(model.parameters(), lr=1e-4), x, torch.zeros_like(x), F.mse_loss)
    return lambda: timed(100, step), "us"


def torch_matmul():
    a = torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16)
    b = torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16)
    c = torch.empty_like(a)
    return lambda: timed(100, lambda: torch.mm(a, b, out=c)), "us"


def torch_train_large():
    layers = [nn.TransformerEncoderLayer(4096, 32, 16384, dropout=0.0, batch_first=True, norm_first=True) for _ in range(4)]
    model = nn.Sequential(*layers).to("cuda", torch.bfloat16)
    x = torch.randn(4, 1024, 4096, device="cuda", dtype=torch.bfloat16)
    step = training(model, torch.optim.SGD(model.parameters(), lr=1e-4), x, torch.zeros_like(x), F.mse_loss)
    return lambda: timed(10, step, 1e3), "ms"


wanted = os.environ.get("ONLY", "").split("|")
figures = {}
for line in sys.stdin:
    for make in (torch_add, torch_item, torch_train_conv, torch_train_transformer, torch_matmul, torch_train_large):
        name = make.__name__
        if wanted == [""] or name in wanted:
            if name not in figures:
                figures[name] = make()
            measure, unit = figures[name]
            print(name, measure(), unit, sep="\t", flush=True)
    print("done", flush=True)
