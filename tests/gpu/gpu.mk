# SPDX-License-Identifier: Apache-2.0
#
# The programs that tests/gpu/measure times, the recorder of tests/gpu/smi.sh and what tests/gpu/readers.sh runs. start opens
# libcuda.so.1 itself.
GPU_PROGRAMS := $(B)/tests/micro $(B)/tests/start $(B)/tests/record $(B)/tests/readers

# Go knows by itself what is up to date.
.PHONY: $(B)/tests/record $(B)/tests/readers
$(B)/tests/readers:
	@mkdir -p $(@D)
	$(GOENV) $(GO) build -buildvcs=false -o $@ ./tests/gpu/readers
$(B)/tests/record:
	@mkdir -p $(@D)
	$(GOENV) $(GO) build -buildvcs=false -o $@ ./tests/gpu/smi/record

$(B)/tests/micro: tests/gpu/micro.c $(GEN)/include/cuda.h $(B)/lib/libcuda.so.1
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE $(CFLAGS) $(WARN) -I$(GEN)/include -I$(GEN) -o $@ $< -L$(B)/lib -lcuda
$(B)/tests/start: tests/gpu/start.c $(GENERATED)
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE $(CFLAGS) $(WARN) -I$(GEN) -o $@ $< -ldl
