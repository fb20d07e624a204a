# SPDX-License-Identifier: Apache-2.0
#
# A vendor's library that misbehaves. Included by the top Makefile.

$(B)/escape/libcuda.so.1: $(wildcard tests/escape/*.c tests/escape/*.h)
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE $(CFLAGS) $(WARN) -fPIC -fvisibility=hidden -shared -pthread -Wl,-soname,libcuda.so.1 -o $@ tests/escape/*.c
