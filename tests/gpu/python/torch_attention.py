# SPDX-License-Identifier: Apache-2.0
# PyTorch: scaled dot product attention by every backend, forward and backward
import hashlib

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

torch.use_deterministic_algorithms(True, warn_only=True)


def digest(*tensors):
    h = hashlib.sha256()
    for t in tensors:
        h.update(t.detach().float().cpu().contiguous().numpy().tobytes())
    return h.hexdigest()[:24]


for name in ("MATH", "FLASH_ATTENTION", "EFFICIENT_ATTENTION", "CUDNN_ATTENTION"):
    backend = getattr(SDPBackend, name)
    for dtype in (torch.float16, torch.bfloat16):
        for causal in (False, True):
            torch.manual_seed(1)
            q, k, v = (torch.randn(2, 8, 256, 64, device="cuda", dtype=dtype, requires_grad=True) for _ in range(3))
            try:
                with sdpa_kernel(backend):
                    y = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
                    forward = digest(y)
                    y.float().square().sum().backward()
                # Only the forward pass and the mathematical backward pass promise the same bits each time.
                backward = digest(q.grad, k.grad, v.grad) if name == "MATH" else "%.1f" % q.grad.float().norm().item()
                print(name, dtype, causal, forward, backward)
            except RuntimeError as e:
                print(name, dtype, causal, "RuntimeError:", str(e).splitlines()[0][:80])
