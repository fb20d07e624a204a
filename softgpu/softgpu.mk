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

# Its NVML: the shim's exported half, with something else than axond behind it. The half that takes frames apart is compiled
# for itself, as its call.h is another one.
SOFTGPU_NVML_SRCS := $(wildcard softgpu/nvml/*.c) $(filter-out shims/nvml/channel.c,$(wildcard shims/nvml/*.c))
SOFTGPU_PLAIN_SRCS := $(wildcard softgpu/nvml/plain/*.c)
SOFTGPU_PLAIN_OBJS := $(SOFTGPU_PLAIN_SRCS:softgpu/nvml/plain/%.c=$(B)/obj/plain/%.o) $(B)/obj/plain/nvml_worker.o
SOFTGPU_PLAIN_FLAGS := -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -Wno-cast-function-type -fPIC -fvisibility=hidden -Isoftgpu/nvml/plain -I$(SOFTGPU_GEN)

$(B)/obj/plain/nvml_worker.o: $(SOFTGPU_GEN)/nvml_worker.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(SOFTGPU_PLAIN_FLAGS) -c -o $@ $<
$(B)/obj/plain/%.o: softgpu/nvml/plain/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(SOFTGPU_PLAIN_FLAGS) -c -o $@ $<
$(SOFTGPU_PLAIN_OBJS): $(wildcard softgpu/nvml/plain/*.h softgpu/nvml/*.h) $(SOFTGPU_GEN)/nvml_api.h $(SOFTGPU_GEN)/nvml_calls.h $(SOFTGPU_GEN)/nvml_worker.h

$(B)/softgpu/libnvidia-ml.so.1: $(SOFTGPU_NVML_SRCS) $(SOFTGPU_PLAIN_OBJS) $(wildcard softgpu/nvml/*.h shims/nvml/*.h) $(SOFTGPU_GEN)/nvml_client.c \
		$(SOFTGPU_GEN)/nvml_exports.map $(SOFTGPU_GEN)/nvml_rooms.h
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -fPIC -fvisibility=hidden -pthread -Ishims/nvml -I$(SOFTGPU_GEN) -shared \
		-Wl,-soname,libnvidia-ml.so.1 -Wl,-z,nodelete -Wl,-z,defs -Wl,--version-script=$(SOFTGPU_GEN)/nvml_exports.map \
		-o $@ $(SOFTGPU_NVML_SRCS) $(SOFTGPU_PLAIN_OBJS) $(SOFTGPU_GEN)/nvml_client.c
