# SPDX-License-Identifier: Apache-2.0
# PyTorch: expandable segments (memory mapped by the virtual memory calls), and the allocators
import hashlib
import os

os.environ["PYTORCH_CUDA_ALLOC_CONF"] = os.environ["PYTORCH_ALLOC_CONF"] = "expandable_segments:True"

import torch  # noqa: E402

torch.manual_seed(1)
kept = []
for i in range(1, 40):
    kept.append(torch.full((i * 300000,), float(i), device="cuda"))
    if i % 3 == 0:
        del kept[0]
print("sum", sum(t.double().sum().item() for t in kept))
print("segments are expandable:", any(s.get("is_expandable") for s in torch.cuda.memory_snapshot()))
del kept
torch.cuda.empty_cache()
print("reserved after all is free", torch.cuda.memory_reserved())
a = torch.randn(2048, 2048, device="cuda")
print(hashlib.sha256((a @ a).cpu().numpy().tobytes()).hexdigest())
free, total = torch.cuda.mem_get_info()
print("memory", 0 < free <= total)
try:
    torch.empty(total * 2, dtype=torch.uint8, device="cuda")
except torch.OutOfMemoryError:
    print("too much is refused")
print("and then", torch.ones(10, device="cuda").sum().item())
