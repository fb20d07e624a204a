# SPDX-License-Identifier: Apache-2.0
#
# softgpu's libcuda.so.1, for the top Makefile: needs CC, CFLAGS, B (the build folder) and B's gen/cuda_api.h.

SOFTGPU_SRCS := $(wildcard softgpu/driver/*.c) $(wildcard softgpu/ptx/*.c)
SOFTGPU_HDRS := $(wildcard softgpu/driver/*.h) $(wildcard softgpu/ptx/*.h)
SOFTGPU_GEN ?= build/gen
SOFTGPU_CFLAGS := -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -fPIC -fvisibility=hidden -ffp-contract=off -pthread -I$(SOFTGPU_GEN)
SOFTGPU_LDFLAGS := -shared -Wl,-soname,libcuda.so.1 -Wl,-z,nodelete -Wl,-z,defs

$(B)/softgpu/libcuda.so.1: $(SOFTGPU_SRCS) $(SOFTGPU_HDRS) $(SOFTGPU_GEN)/cuda_api.h
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(SOFTGPU_CFLAGS) $(SOFTGPU_LDFLAGS) -o $@ $(SOFTGPU_SRCS) -lm
