# SPDX-License-Identifier: Apache-2.0
#
# The door. `make demo` shows axon working, `make test` tests it, `make` builds
# it into build/. Both first install what is missing (scripts/deps says what).

B      ?= build
GEN    := $(B)/gen
GO     ?= $(shell scripts/go-command)
ifeq ($(origin CC),default)
CC     := gcc
endif
CFLAGS ?= -O2 -g
# What is built does not tell where: a build in another folder gives the same bytes, its build ID included.
override CFLAGS += -ffile-prefix-map=$(CURDIR)=. -ffile-prefix-map=$(B)=build -ffile-prefix-map=$(GEN)=build/gen
# A Go that is older than go.mod asks for fetches the right one.
GOENV  := CGO_ENABLED=0 GOTOOLCHAIN=auto

WARN   := -Wall -Wextra -Werror
C11    := -std=c11 -D_GNU_SOURCE -D_FORTIFY_SOURCE=2
ifneq (,$(findstring sanitize,$(CFLAGS)))
C11    := -std=c11 -D_GNU_SOURCE
endif

.PHONY: all demo test bench deps build-deps generate coverage clean

all: $(B)/lib/libcuda.so.1 $(B)/lib/libnvidia-ml.so.1 $(B)/libexec/axon-worker $(B)/softgpu/libcuda.so.1 $(B)/softgpu/libnvidia-ml.so.1 $(B)/bin/driver_axpy programs go

# --- what is generated from the description

API := $(wildcard shims/api/cuda/*.api) $(wildcard shims/api/nvml/*.api)
GENERATED := $(GEN)/cuda_api.h $(GEN)/cuda_calls.h $(GEN)/cuda_client.c $(GEN)/cuda_client.h $(GEN)/cuda_worker.c $(GEN)/cuda_worker.h
GENERATED += $(addprefix $(GEN)/nvml_, api.h calls.h client.c client.h exports.map rooms.h worker.c worker.h)

generate: $(GEN)/.done
$(GENERATED): $(GEN)/.done ;
$(GEN)/.done: $(API) $(shell find shims/gen -name '*.go' -not -name '*_test.go')
	@mkdir -p $(GEN)
	$(GOENV) $(GO) run ./shims/gen -o $(GEN)
	@touch $@

coverage: $(GEN)/.done
	$(GOENV) $(GO) run ./shims/gen -coverage docs/coverage.md -go .

# --- the shim

# Programs bring their own C library, which may be older than this machine's: see glibc.h. Sanitizers look for the new names.
ifeq (,$(findstring sanitize,$(CFLAGS)))
ifneq (,$(shell $(CC) -E -dM -include features.h -x c /dev/null 2>/dev/null | grep -w __GLIBC__))
OLD_GLIBC := -include shims/region/glibc.h -Wl,--push-state,--no-as-needed,-l:libpthread.so.0,--pop-state
endif
endif

SHIM_SRCS := $(wildcard shims/client/*.c) shims/region/region.c
SHIM_HDRS := $(wildcard shims/client/*.h) $(wildcard shims/region/*.h)
SHIM_INC  := -I$(GEN) -Ishims/region -Ishims/client

$(B)/lib/libcuda.so.1: $(SHIM_SRCS) $(SHIM_HDRS) $(GENERATED)
	@mkdir -p $(@D)
	$(CC) $(C11) $(CFLAGS) $(WARN) $(OLD_GLIBC) -fPIC -fvisibility=hidden -pthread $(SHIM_INC) -shared -Wl,-soname,libcuda.so.1 \
		-Wl,-z,nodelete -Wl,-z,defs $(LDFLAGS) -o $@ $(SHIM_SRCS) $(GEN)/cuda_client.c
	@ln -sf libcuda.so.1 $(@D)/libcuda.so

NVML_SRCS := $(wildcard shims/nvml/*.c)
NVML_INC  := -Ishims/nvml -I$(GEN) -Ishims/region

$(B)/lib/libnvidia-ml.so.1: $(NVML_SRCS) $(wildcard shims/nvml/*.h) $(SHIM_HDRS) $(GENERATED)
	@mkdir -p $(@D)
	$(CC) $(C11) $(CFLAGS) $(WARN) $(OLD_GLIBC) -fPIC -fvisibility=hidden -pthread $(NVML_INC) -shared -Wl,-soname,libnvidia-ml.so.1 \
		-Wl,-z,nodelete -Wl,-z,defs -Wl,--version-script=$(GEN)/nvml_exports.map $(LDFLAGS) -o $@ $(NVML_SRCS) $(GEN)/nvml_client.c
	@ln -sf libnvidia-ml.so.1 $(@D)/libnvidia-ml.so

# --- the worker and the software GPU

SOFTGPU_GEN := $(GEN)
include shims/worker/worker.mk
include softgpu/softgpu.mk

# --- programs: the sample and the test programs link against the shim, and run on any libcuda.so.1

$(GEN)/include/cuda.h: $(GENERATED) scripts/cuda-h
	@mkdir -p $(@D)
	scripts/cuda-h $(GEN)/cuda_client.c > $@.new && mv $@.new $@

PROGRAMS := $(patsubst tests/programs/%.c,$(B)/tests/%,$(wildcard tests/programs/*.c))
include tests/gpu/gpu.mk
include tests/escape/escape.mk
include tests/nvml/nvml.mk
programs: $(PROGRAMS) $(GPU_PROGRAMS) $(NVML_PROGRAMS) $(B)/escape/libcuda.so.1

$(B)/bin/%: samples/%.c $(GEN)/include/cuda.h $(B)/lib/libcuda.so.1
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE $(CFLAGS) $(WARN) -I$(GEN)/include -I$(GEN) -o $@ $< -L$(B)/lib -lcuda
$(B)/tests/%: tests/programs/%.c $(wildcard tests/programs/*.h) $(GEN)/include/cuda.h $(B)/lib/libcuda.so.1
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE $(CFLAGS) $(WARN) -pthread -I$(GEN)/include -I$(GEN) -Ishims/region -o $@ $< -L$(B)/lib -lcuda -lm

# The benchmark has the shim inside it, for a call that does nothing.
$(B)/bench/boundary: tests/bench/boundary.c $(SHIM_SRCS) $(SHIM_HDRS) $(GENERATED)
	@mkdir -p $(@D)
	$(CC) $(C11) $(CFLAGS) $(WARN) -fvisibility=hidden -pthread $(SHIM_INC) -o $@ $< $(SHIM_SRCS) $(GEN)/cuda_client.c

# This one runs on any libcuda.so.1, the vendor's too.
$(B)/bench/copies: tests/bench/copies.c $(GEN)/include/cuda.h $(B)/lib/libcuda.so.1
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE $(CFLAGS) $(WARN) -I$(GEN)/include -I$(GEN) -o $@ $< -L$(B)/lib -lcuda

$(B)/bench/images: tests/bench/images.c tests/programs/fatbin.h $(GEN)/include/cuda.h $(B)/lib/libcuda.so.1
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE $(CFLAGS) $(WARN) -I$(GEN)/include -I$(GEN) -o $@ $< -L$(B)/lib -lcuda

$(B)/bench/start: tests/bench/start.c $(GEN)/include/cuda.h $(B)/lib/libcuda.so.1
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE $(CFLAGS) $(WARN) -I$(GEN)/include -I$(GEN) -o $@ $< -L$(B)/lib -lcuda

# --- Go

.PHONY: go
go:
	@mkdir -p $(B)/bin
	@# Nothing shows the commit, and git refuses to tell it about a checkout of another user's, as in a container.
	$(GOENV) $(GO) build -buildvcs=false -o $(B)/bin/ ./cmd/axon ./cmd/axond
	@# The manuals: man -l build/man/axon.1
	@mkdir -p $(B)/man && $(B)/bin/axon help --manual >$(B)/man/axon.1 && \
		for page in axond.8 axond.toml.5 axon-smi.1; do $(B)/bin/axond --manual $$page >$(B)/man/$$page || exit 1; done
	@# In a folder of its own: who has build/bin on the path goes on having NVIDIA's.
	@mkdir -p $(B)/smi
	$(GOENV) $(GO) build -buildvcs=false -o $(B)/smi/ ./cmd/nvidia-smi

# --- the same for other compilers, C libraries and processors, and under sanitizers: tests/suite runs what is in these folders

VARIANTS := asan tsan clang musl arm64 arm64-clang without-order
.PHONY: both-halves variants $(VARIANTS:%=variant-%)
both-halves: $(B)/lib/libcuda.so.1 $(B)/lib/libnvidia-ml.so.1 $(B)/libexec/axon-worker $(B)/softgpu/libcuda.so.1 $(B)/softgpu/libnvidia-ml.so.1 \
	$(B)/tests/semantics
variants: $(VARIANTS:%=variant-%)
$(VARIANTS:%=variant-%): $(GEN)/include/cuda.h

IN = $(MAKE) --no-print-directory GEN=$(GEN) B=$(B)/$(@:variant-%=%)
variant-asan:
	+@$(IN) CFLAGS="-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined" both-halves $(B)/asan/tests/graphs $(B)/asan/tests/callbacks $(B)/asan/tests/captures $(B)/asan/tests/external $(B)/asan/tests/memory $(B)/asan/tests/shared_files nvml-programs
variant-tsan:
	+@$(IN) CFLAGS="-O1 -g -fsanitize=thread" both-halves $(B)/tsan/tests/graphs $(B)/tsan/tests/callbacks $(B)/tsan/tests/captures $(B)/tsan/tests/external nvml-programs
variant-clang:
	+@$(IN) CC=clang both-halves programs $(B)/clang/bin/driver_axpy
variant-arm64:
	+@$(IN) CC=aarch64-linux-gnu-gcc both-halves
variant-arm64-clang:
	+@$(IN) CC="clang --target=aarch64-linux-gnu" both-halves
variant-without-order:
	+@$(IN) CFLAGS="$(CFLAGS) -DAXON_WITHOUT_ORDER" $(B)/without-order/libexec/axon-worker
# musl-gcc knows no kernel headers: it gets those of this machine, and nothing else from beside them. There is no such
# wrapper for clang, which has a look only.
KERNEL := $(B)/musl/kernel
variant-musl:
	@mkdir -p $(KERNEL) && ln -sfn /usr/include/linux $(KERNEL)/linux && ln -sfn /usr/include/asm-generic $(KERNEL)/asm-generic && \
		ln -sfn /usr/include/$$(gcc -print-multiarch)/asm $(KERNEL)/asm
	+@$(IN) CC="musl-gcc -isystem $(KERNEL)" both-halves
	clang $(C11) $(CFLAGS) $(WARN) -fsyntax-only -nostdlibinc -isystem /usr/include/$$(gcc -dumpmachine | cut -d- -f1)-linux-musl \
		-isystem $(KERNEL) $(SHIM_INC) $(SHIM_SRCS) $(GEN)/cuda_client.c
	clang $(C11) $(CFLAGS) $(WARN) -fsyntax-only -nostdlibinc -isystem /usr/include/$$(gcc -dumpmachine | cut -d- -f1)-linux-musl \
		-isystem $(KERNEL) $(NVML_INC) $(NVML_SRCS) $(GEN)/nvml_client.c
	clang $(WORKER_FLAGS) $(CFLAGS) -fsyntax-only -nostdlibinc -isystem /usr/include/$$(gcc -dumpmachine | cut -d- -f1)-linux-musl \
		-isystem $(KERNEL) $(WORKER_SRCS) $(GEN)/cuda_worker.c

# --- for distributions

include packaging/packaging.mk

# --- for people

deps:
	@scripts/deps
build-deps:
	@scripts/deps build

demo: build-deps
	@$(MAKE) --no-print-directory all
	@scripts/demo $(B)

test: deps
	@$(MAKE) --no-print-directory all
	@scripts/test $(B)

bench: build-deps
	@$(MAKE) --no-print-directory all $(B)/bench/boundary $(B)/bench/start $(B)/bench/images
	@scripts/bench $(B)

clean:
	rm -rf build
