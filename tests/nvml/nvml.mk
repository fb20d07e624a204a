# SPDX-License-Identifier: Apache-2.0
#
# Programs that are written to NVML and run on any libnvidia-ml.so.1. Included by the top Makefile.

NVML_PROGRAMS := $(patsubst tests/nvml/programs/%.c,$(B)/tests/nvml/%,$(wildcard tests/nvml/programs/*.c))

.PHONY: nvml-programs
nvml-programs: $(NVML_PROGRAMS)
$(B)/tests/nvml/%: tests/nvml/programs/%.c tests/nvml/programs/check.h $(GENERATED) $(B)/lib/libnvidia-ml.so.1
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE $(CFLAGS) $(WARN) -pthread -I$(GEN) -o $@ $< -L$(B)/lib -Wl,--as-needed -lnvidia-ml -ldl
