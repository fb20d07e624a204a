// SPDX-License-Identifier: Apache-2.0
//
// The calls of btop 1.4's GPU panel, by the names, in the order and from the threads that it makes them (its
// src/linux/btop_collect.cpp says which): it opens the library by the name without a number first, takes old names of
// functions by hand, asks a GPU once for everything, and later for what it had an answer to. A line for each thing that it
// would show, or why it would not; a round a number of times (argument 1).
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>

#include "check.h"

enum { NAME = 64 }; // of its buffer: shorter than NVML's own

static const char *(*error_string)(nvmlReturn_t);
static nvmlReturn_t (*init)(void), (*shutdown_nvml)(void);
static nvmlReturn_t (*count)(unsigned *), (*by_index)(unsigned, nvmlDevice_t *), (*name)(nvmlDevice_t, char *, unsigned);
static nvmlReturn_t (*power_limit)(nvmlDevice_t, unsigned *), (*threshold)(nvmlDevice_t, int, unsigned *);
static nvmlReturn_t (*utilization)(nvmlDevice_t, nvmlUtilization_t *), (*clock_info)(nvmlDevice_t, int, unsigned *);
static nvmlReturn_t (*power)(nvmlDevice_t, unsigned *), (*state)(nvmlDevice_t, int *), (*temperature)(nvmlDevice_t, int, unsigned *);
static nvmlReturn_t (*memory)(nvmlDevice_t, nvmlMemory_t *), (*pcie)(nvmlDevice_t, int, unsigned *);
static nvmlReturn_t (*encoder)(nvmlDevice_t, unsigned *, unsigned *), (*decoder)(nvmlDevice_t, unsigned *, unsigned *);

static const struct {
	const char *name;
	void *to;
} functions[] = {
	{"nvmlErrorString", &error_string}, {"nvmlInit", &init}, {"nvmlShutdown", &shutdown_nvml}, {"nvmlDeviceGetCount", &count},
	{"nvmlDeviceGetHandleByIndex", &by_index}, {"nvmlDeviceGetName", &name}, {"nvmlDeviceGetPowerManagementLimit", &power_limit},
	{"nvmlDeviceGetTemperatureThreshold", &threshold}, {"nvmlDeviceGetUtilizationRates", &utilization},
	{"nvmlDeviceGetClockInfo", &clock_info}, {"nvmlDeviceGetPowerUsage", &power}, {"nvmlDeviceGetPowerState", &state},
	{"nvmlDeviceGetTemperature", &temperature}, {"nvmlDeviceGetMemoryInfo", &memory}, {"nvmlDeviceGetPcieThroughput", &pcie},
	{"nvmlDeviceGetEncoderUtilization", &encoder}, {"nvmlDeviceGetDecoderUtilization", &decoder},
};

// What a GPU had no answer to, it is not asked again.
enum { PCIE, UTILIZATION, CLOCK, MEMORY_CLOCK, POWER, STATE, TEMPERATURE, MEMORY, ENCODER, DECODER, PARTS };

static struct gpu {
	nvmlDevice_t device;
	bool without[PARTS];
} gpus[16];

// PCIe throughput takes 20 ms and more, and has threads of its own.
struct transfer {
	nvmlDevice_t device;
	int counter;
	nvmlReturn_t result;
	unsigned value;
};

static void *transferred(void *argument)
{
	struct transfer *t = argument;
	t->result = pcie(t->device, t->counter, &t->value);
	return NULL;
}

static bool told(unsigned i, const char *what, nvmlReturn_t r)
{
	if (r)
		printf("%u %s: %s\n", i, what, error_string(r));
	return !r;
}

static void number(unsigned i, const char *what, nvmlReturn_t r, unsigned value, bool *without, bool first)
{
	if (told(i, what, r))
		printf("%u %s: %u\n", i, what, value);
	else if (first)
		*without = true;
}

static void hello(unsigned i)
{
	char text[NAME];
	unsigned value;
	nvmlReturn_t r = by_index(i, &gpus[i].device);
	if (!told(i, "handle", r))
		exit(1);
	r = name(gpus[i].device, text, NAME);
	if (told(i, "name", r))
		printf("%u name: %s\n", i, text);
	r = power_limit(gpus[i].device, &value);
	number(i, "power limit", r, value, &(bool){false}, true);
	r = threshold(gpus[i].device, 0 /* shutdown */, &value);
	number(i, "shut down at", r, value, &(bool){false}, true);
}

static void collect(unsigned i, bool first)
{
	struct gpu *g = &gpus[i];
	struct transfer transfers[2] = {{g->device, 0, 0, 0}, {g->device, 1, 0, 0}};
	pthread_t threads[2];
	unsigned value, period;
	nvmlReturn_t r;
	bool asked = !g->without[PCIE];

	if (first)
		hello(i);
	transfers[0].device = transfers[1].device = g->device;
	for (int n = 0; asked && n < 2; n++)
		MUST(!pthread_create(&threads[n], NULL, transferred, &transfers[n]));
	if (!g->without[UTILIZATION]) {
		nvmlUtilization_t u;
		r = utilization(g->device, &u);
		number(i, "busy", r, u.gpu, &g->without[UTILIZATION], first);
		if (!r)
			printf("%u memory busy: %u\n", i, u.memory);
	}
	if (!g->without[CLOCK]) {
		r = clock_info(g->device, 0 /* graphics */, &value);
		number(i, "clock", r, value, &g->without[CLOCK], first);
	}
	if (!g->without[MEMORY_CLOCK]) {
		r = clock_info(g->device, 2 /* memory */, &value);
		number(i, "memory's clock", r, value, &g->without[MEMORY_CLOCK], first);
	}
	if (!g->without[POWER]) {
		r = power(g->device, &value);
		number(i, "power", r, value, &g->without[POWER], first);
	}
	if (!g->without[STATE]) {
		int p;
		r = state(g->device, &p);
		number(i, "state", r, p, &g->without[STATE], first);
	}
	if (!g->without[TEMPERATURE]) {
		r = temperature(g->device, 0 /* GPU */, &value);
		number(i, "temperature", r, value, &g->without[TEMPERATURE], first);
	}
	if (!g->without[MEMORY]) {
		nvmlMemory_t m;
		r = memory(g->device, &m);
		if (told(i, "memory", r)) {
			printf("%u memory: %llu of %llu\n", i, m.used, m.total);
			MUST(m.total && m.used + m.free <= m.total);
		} else if (first) {
			g->without[MEMORY] = true;
		}
	}
	if (!g->without[ENCODER]) {
		r = encoder(g->device, &value, &period);
		number(i, "encoder", r, value, &g->without[ENCODER], first);
	}
	if (!g->without[DECODER]) {
		r = decoder(g->device, &value, &period);
		number(i, "decoder", r, value, &g->without[DECODER], first);
	}
	for (int n = 0; asked && n < 2; n++) {
		MUST(!pthread_join(threads[n], NULL));
		number(i, n ? "PCIe received" : "PCIe sent", transfers[n].result, transfers[n].value, &g->without[PCIE], first && !n);
	}
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	void *library = dlopen("libnvidia-ml.so", RTLD_LAZY);
	unsigned n;
	Dl_info where;
	nvmlReturn_t r;

	if (!library)
		library = dlopen("libnvidia-ml.so.1", RTLD_LAZY);
	MUST(library);
	for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++) {
		dlerror();
		*(void **)functions[i].to = dlsym(library, functions[i].name);
		if (!*(void **)functions[i].to) {
			fprintf(stderr, "there is no %s: %s\n", functions[i].name, dlerror());
			return 1;
		}
	}
	MUST(dladdr((void *)init, &where));
	printf("library: %s\n", where.dli_fname);
	if ((r = init()) || (r = count(&n))) {
		fprintf(stderr, "there are no GPUs: %s\n", error_string(r));
		return 1;
	}
	printf("GPUs: %u\n", n);
	MUST(n && n <= sizeof gpus / sizeof *gpus);
	for (int round = 0; round < rounds; round++) {
		printf("round: %d\n", round + 1);
		for (unsigned i = 0; i < n; i++)
			collect(i, !round);
	}
	r = shutdown_nvml();
	MUST(!r);
	dlclose(library);
	return 0;
}
