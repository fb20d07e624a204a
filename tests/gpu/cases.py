# SPDX-License-Identifier: Apache-2.0
"""The cases that tests/gpu/measure runs. A goal without a unit is for axon's
figure divided by the native one; a goal with a unit is for what axon's figure
is more than the native one."""

import glob
import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))


class Speed:
    """A program that prints figures, a round for each line that it reads. One that starts fast is started anew for
    each round: some processes launch a fifth slower than others for as long as they live, natively too."""

    def __init__(self, name, program, figures, limit=60, needs=(), starts=False, anew=False):
        self.name, self.program, self.figures, self.limit, self.needs = name, program, figures, limit, needs
        self.starts = starts  # each round is a session of its own
        self.anew = anew


class Compare:
    """A program whose output must be the same on both sides."""

    def __init__(self, name, what, program, limit=100, extra=None, needs=(), outcomes=False):
        self.name, self.what, self.program, self.limit = name, what, program, limit
        self.extra, self.needs, self.outcomes = extra, needs, outcomes


class Memory:
    name = "memory"


def python(file, *args):
    return ["python3", os.path.join(HERE, "python", file)] + list(args)


# name of the figure: (what it is, goal)
MICRO = {
    "launch_burst_1000": ("1,000 launches of an empty kernel at once, until the client goes on", "<=0.2"),
    "launch_row_20000": ("20,000 launches in a row and a synchronisation, for each", "<=1.05"),
    "launch_then_sync": ("a launch, then a synchronisation", "<=1.10"),
    "alloc_free_1MiB": ("cuMemAlloc and cuMemFree of 1 MiB", "<=1.5"),
    "copy_up_4": ("a copy of 4 bytes to the device", "<=1.15"),
    "copy_down_4": ("a copy of 4 bytes from the device", "<=1.15"),
    "pinned_up_256MiB": ("256 MiB from pinned memory to the device", ">=0.98"),
    "pinned_down_256MiB": ("256 MiB from the device to pinned memory", ">=0.98"),
    "pageable_up_256MiB": ("256 MiB from pageable memory to the device", ">=1.2"),
    "pageable_down_256MiB": ("256 MiB from the device to pageable memory", ">=1.0"),
}
START = {"start_to_first_kernel": ("from a process's start to its first kernel's result", "<=0.6")}
TORCH = {
    "torch_add": ("PyTorch: x.add_(1) on 1,000 floats, a call", "<=0.75"),
    "torch_item": ("PyTorch: x[0].item()", "<=1.15"),
    "torch_train_conv": ("PyTorch: a training step of a small convolutional net", "<=0.90"),
    "torch_train_transformer": ("PyTorch: a training step of a small transformer layer", "<=0.90"),
    "torch_matmul": ("PyTorch: a product of two 8192 by 8192 bf16 matrices", "<=1.01"),
    "torch_train_large": ("PyTorch: a training step of four large transformer layers, bf16", "<=1.01"),
}
LLAMA = {
    "llama_eager": ("Llama of 8 layers, fp16, random weights: decoding", ">=1.1"),
    "llama_graph": ("the same with the step of a token as a CUDA graph", ">=0.99"),
}

SPEED = [
    Speed("micro", ["{build}/tests/micro"], MICRO, anew=True),
    Speed("start", ["{build}/tests/start"], START, starts=True),
    Speed("torch", python("torch_speed.py"), TORCH, 90, ("torch",)),
    Speed("llama", python("llama_speed.py"), LLAMA, 90, ("torch", "transformers")),
    Memory,
]


def title(file, mark):
    """What a program says it is: its first line of comment below the licence."""
    with open(file) as f:
        for line in f:
            text = line.strip().lstrip(mark).strip()
            if line.startswith(mark) and text and "SPDX" not in text:
                return text.rstrip(".:")
    return os.path.basename(file)


def compare():
    cases = [Compare("driver_axpy", "the sample, written to the driver API", ["{build}/bin/driver_axpy"])]
    for file in sorted(glob.glob(os.path.join(HERE, "../programs", "*.c"))):
        with open(file) as f:
            if not re.search('#include "(check|graphs|textures)\\.h"', f.read()):
                continue  # for tests/suite, which knows what to ask of it
        name = os.path.basename(file)[:-2]
        if name == "limits":
            continue  # natively there are none
        what = "tests/programs/%s: %s" % (name, title(file, "//").split(":")[0])
        cases.append(Compare("tests_" + name, what, ["{build}/tests/" + name], limit=120, outcomes=True))
    for file in sorted(glob.glob(os.path.join(HERE, "python", "*.py"))):
        name = os.path.basename(file)[:-3]
        if name.endswith("_speed") or name == "numba_tests":
            continue
        cases.append(Compare(name, title(file, "#"), ["python3", file], needs=(name.split("_")[0],)))
    for file in sorted(glob.glob(os.path.join(HERE, "cuda", "*.cu"))):
        name = os.path.basename(file)[:-3]
        cases.append(Compare("nvcc_" + name, title(file, "//"), ["{nvcc}", file], needs=("nvcc",)))
    cases.append(Compare("nccl_alone", "NVIDIA's NCCL with one process", python("nccl_collectives.py"), extra={"ALONE": "1"},
                         needs=("nccl",)))
    cases.append(Compare("numba_tests", "numba-cuda's own tests", python("numba_tests.py"), needs=("numba",),
                         outcomes=True))
    return cases
