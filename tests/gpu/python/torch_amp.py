# SPDX-License-Identifier: Apache-2.0
# PyTorch: training with automatic mixed precision, fp16 with a scaler and bf16
import hashlib

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.use_deterministic_algorithms(True, warn_only=True)
for dtype in (torch.float16, torch.bfloat16):
    torch.manual_seed(1)
    model = nn.Sequential(nn.Linear(256, 512), nn.GELU(), nn.LayerNorm(512), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 10)).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    scaler = torch.amp.GradScaler("cuda", enabled=dtype == torch.float16)
    for step in range(30):
        x = torch.randn(128, 256, device="cuda")
        y = torch.randint(10, (128,), device="cuda")
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=dtype):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        if step % 10 == 9:
            print(dtype, step, loss.item().hex(), norm.item().hex(), scaler.get_scale())
    digest = hashlib.sha256()
    for p in model.parameters():
        digest.update(p.detach().cpu().numpy().tobytes())
    print(dtype, digest.hexdigest())
