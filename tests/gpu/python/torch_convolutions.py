# SPDX-License-Identifier: Apache-2.0
# PyTorch: convolutions of all kinds forward and backward, by cuDNN
import hashlib

import torch
import torch.nn as nn

torch.use_deterministic_algorithms(True, warn_only=True)
torch.backends.cudnn.deterministic = True
torch.backends.cudnn.benchmark = False


def digest(*tensors):
    h = hashlib.sha256()
    for t in tensors:
        h.update(t.detach().float().cpu().contiguous().numpy().tobytes())
    return h.hexdigest()[:24]


torch.manual_seed(1)
kinds = [
    ("1d", nn.Conv1d(8, 16, 5, padding=2), (4, 8, 100)),
    ("2d", nn.Conv2d(16, 32, 3, padding=1), (4, 16, 32, 32)),
    ("2d strided", nn.Conv2d(16, 32, 5, stride=2), (4, 16, 33, 33)),
    ("2d dilated", nn.Conv2d(16, 16, 3, dilation=2), (4, 16, 32, 32)),
    ("2d grouped", nn.Conv2d(16, 32, 3, groups=4), (4, 16, 32, 32)),
    ("2d depthwise", nn.Conv2d(16, 16, 3, groups=16), (4, 16, 32, 32)),
    ("2d transposed", nn.ConvTranspose2d(16, 8, 4, stride=2), (4, 16, 16, 16)),
    ("3d", nn.Conv3d(4, 8, 3), (2, 4, 10, 10, 10)),
]
for name, layer, shape in kinds:
    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        for layout in (torch.contiguous_format, torch.channels_last) if len(shape) == 4 else (torch.contiguous_format,):
            layer = layer.to("cuda", dtype)
            layer.zero_grad()
            x = torch.randn(shape, device="cuda", dtype=dtype).contiguous(memory_format=layout).requires_grad_()
            y = layer(x)
            y.sum().backward()
            print(name, dtype, layout, tuple(y.shape), digest(y, x.grad, layer.weight.grad))
norm = nn.BatchNorm2d(16).cuda()
x = torch.randn(8, 16, 20, 20, device="cuda", requires_grad=True)
y = torch.nn.functional.max_pool2d(norm(x), 2)
y.square().sum().backward()
print("batch norm", digest(y, x.grad, norm.running_mean, norm.running_var))
rnn = nn.LSTM(32, 64, 2).cuda()
x = torch.randn(12, 4, 32, device="cuda", requires_grad=True)
y, _ = rnn(x)
y.sum().backward()
print("lstm", digest(y, x.grad))
