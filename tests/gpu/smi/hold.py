#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A program on the GPU: 1 GiB in a context, until it is ended. It makes the file that is named when it is there."""

import ctypes
import signal
import sys

cuda = ctypes.CDLL("libcuda.so.1")
context, pointer = ctypes.c_void_p(), ctypes.c_uint64()
for name, arguments in (
    ("cuInit", (0,)),
    ("cuDevicePrimaryCtxRetain", (ctypes.byref(context), 0)),
    ("cuCtxSetCurrent", (context,)),
    ("cuMemAlloc_v2", (ctypes.byref(pointer), ctypes.c_size_t(1 << 30))),
):
    result = getattr(cuda, name)(*arguments)
    if result:
        sys.exit(f"hold: {name} answers {result}")
open(sys.argv[1], "w").close()
signal.pause()
