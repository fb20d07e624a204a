# SPDX-License-Identifier: Apache-2.0
"""What PyTorch sees of a limit of GPU memory: limits.py BYTES, 0 for none. It
takes all it can have, is refused, goes on, and computes; then it keeps what it
has until a line comes."""

import sys

import torch

GIB = 1 << 30
limit = int(sys.argv[1])


def computes():
    a = torch.arange(1 << 20, device="cuda", dtype=torch.float64)
    return a.sum().item() == (1 << 19) * ((1 << 20) - 1)


free, total = torch.cuda.mem_get_info()
if not limit:
    if not computes():
        sys.exit("a program without a limit computes nonsense beside one with a limit")
    print("no limit:", total // GIB, "GiB")
    sys.exit(0)
if total != limit or free > limit:
    sys.exit(f"the limit is {limit}, and {free} of {total} are said to be there")
taken = []
try:
    for _ in range(2 * limit // GIB + 8):
        taken.append(torch.empty(GIB // 2, dtype=torch.uint8, device="cuda"))
except torch.cuda.OutOfMemoryError:
    pass
else:
    sys.exit(f"{len(taken)} times 512 MiB were to be had, of {limit}")
if not (limit // (GIB // 2) - 2 <= len(taken) <= limit // (GIB // 2)):
    sys.exit(f"{len(taken)} times 512 MiB were to be had, of {limit}")
del taken[-1]
torch.cuda.empty_cache()
if not computes():
    sys.exit("after a refusal it computes nonsense")
print(f"{limit // GIB} GiB: {len(taken) + 1} times 512 MiB were to be had, then it was refused and went on", flush=True)
sys.stdin.readline()
if not computes():
    sys.exit("after a while it computes nonsense")
