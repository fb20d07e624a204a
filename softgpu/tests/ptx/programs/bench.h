/* SPDX-License-Identifier: Apache-2.0
 *
 * What the interpreter's test programs share: a device made of plain buffers, and cases that report one line each. */
#ifndef AXON_SOFTGPU_TESTS_PTX_BENCH_H
#define AXON_SOFTGPU_TESTS_PTX_BENCH_H

#include "ptx.h"

struct device {
	struct ptx_module *module;
	struct ptx_range ranges[64];
	int n;
	struct ptx_fault fault;
	char printed[4096];
	size_t nprinted;
	uint32_t resident, dynamic_shared, stack;
	const int *stop;
};

/* Loads text, allocates and initialises its variables; on failure the case fails and the program ends. */
void device_open(struct device *, const char *text, size_t len);
void device_open_file(struct device *, const char *path);
void device_close(struct device *);
/* Memory that kernels may touch; `device_close` frees it. */
void *device_memory(struct device *, size_t bytes);
void *device_read_only(struct device *, size_t bytes);
/* The address of a variable; NULL when there is none. */
void *device_variable(struct device *, const char *name);

/* Arguments are 64-bit values, cut to each parameter's size; floats by bits. */
uint64_t f32(float);
uint64_t f64(double);
uint64_t ptr(const void *);
int launch(struct device *, const char *kernel, unsigned grid, unsigned block, ...);
int launch_bytes(struct device *, const char *kernel, const uint32_t grid[3], const uint32_t block[3], const void *params);
int has_kernel(const struct device *, const char *kernel);

/* Cases. */
void begin(const char *name);
void check(int condition, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Launches and checks that it went through. */
#define RUN(...) check(launch(__VA_ARGS__) == 0, "%s", (device)->fault.message)
int finish(void);

#endif
