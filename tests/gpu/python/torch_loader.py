# SPDX-License-Identifier: Apache-2.0
# PyTorch: DataLoader workers by fork and by spawn, pinned memory, after CUDA has begun
import hashlib

import torch
from torch.utils.data import DataLoader, Dataset


class Numbers(Dataset):
    def __len__(self):
        return 256

    def __getitem__(self, i):
        return torch.full((1000,), float(i)), i


def main():
    torch.zeros(1, device="cuda")
    for context in ("fork", "spawn"):
        loader = DataLoader(Numbers(), batch_size=32, num_workers=2, pin_memory=True, multiprocessing_context=context)
        for epoch in range(2):
            total = torch.zeros(1000, device="cuda")
            pinned, indices = True, hashlib.sha256()
            for x, i in loader:
                pinned = pinned and x.is_pinned()
                total += x.to("cuda", non_blocking=True).sum(0)
                indices.update(i.numpy().tobytes())
            print(context, epoch, pinned, total[0].item(), total[-1].item(), indices.hexdigest()[:16])


if __name__ == "__main__":
    main()
