# SPDX-License-Identifier: Apache-2.0
#
# axon-worker. Included by the top Makefile, which sets B (the build folder), GEN (generated sources), CC and CFLAGS.

WORKER_SRCS := $(addprefix shims/worker/, main.c account.c attach.c box.c calls.c checkpoint.c context.c copy.c descriptor.c export.c external.c frame.c graph.c \
	graph_node.c graph_semaphore.c graph_text.c green.c handles.c host.c image.c lane.c launch.c launch_devices.c link.c load.c logs.c notify.c order.c parent.c place.c pointer.c print.c session.c snapshot.c staging.c stream.c trace.c upcall.c vendor.c warm.c)
WORKER_SRCS += $(addprefix shims/worker/, count_memory.c count_objects.c count_pools.c kept.c limit.c)
WORKER_SRCS += $(addprefix shims/worker/, confine.c confine_calls.c confine_files.c)
WORKER_HDRS := $(wildcard shims/worker/*.h shims/region/*.h)
# NVML's half is compiled for itself: its call.h is another one.
TELEMETRY_SRCS := $(wildcard shims/telemetry/*.c)
TELEMETRY_OBJS := $(TELEMETRY_SRCS:shims/telemetry/%.c=$(B)/obj/telemetry/%.o) $(B)/obj/telemetry/nvml_worker.o
# -rdynamic is not needed: the vendor's library calls nothing of ours.
WORKER_FLAGS := -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -I$(GEN) -Ishims/region -Ishims/worker -Ishims/telemetry
TELEMETRY_FLAGS := -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -Ishims/telemetry -I$(GEN) -Ishims/region -Ishims/worker

$(B)/obj/telemetry/nvml_worker.o: $(GEN)/nvml_worker.c
	@mkdir -p $(@D)
	$(CC) $(TELEMETRY_FLAGS) $(CFLAGS) -c -o $@ $<
$(B)/obj/telemetry/%.o: shims/telemetry/%.c
	@mkdir -p $(@D)
	$(CC) $(TELEMETRY_FLAGS) $(CFLAGS) -c -o $@ $<
$(TELEMETRY_OBJS): $(wildcard shims/telemetry/*.h shims/region/*.h) shims/worker/confine.h $(GEN)/nvml_api.h $(GEN)/nvml_calls.h $(GEN)/nvml_worker.h

$(B)/libexec/axon-worker: $(WORKER_SRCS) shims/region/region.c $(GEN)/cuda_worker.c $(WORKER_HDRS) $(GEN)/cuda_api.h $(GEN)/cuda_calls.h $(GEN)/cuda_worker.h \
		$(TELEMETRY_OBJS) shims/telemetry/mode.h
	@mkdir -p $(@D)
	$(CC) $(WORKER_FLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $(WORKER_SRCS) shims/region/region.c $(GEN)/cuda_worker.c $(TELEMETRY_OBJS) -ldl -lpthread

.PHONY: test-worker
test-worker: $(GEN)/cuda_worker.c $(B)/libexec/axon-worker $(B)/softgpu/libcuda.so.1
	CC="$(CC)" B="$(B)" GEN="$(GEN)" shims/tests/worker/run.sh
