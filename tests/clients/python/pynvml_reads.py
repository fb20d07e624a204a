# SPDX-License-Identifier: Apache-2.0
#
# NVML by way of nvidia-ml-py: how many GPUs there are (argument 1), what they are, and that a program's session is seen
# (its pid: argument 2).
import os
import sys

import pynvml as n

count, pid = int(sys.argv[1]), int(sys.argv[2])


def text(value):  # older versions give bytes
    return value.decode() if isinstance(value, bytes) else value


def refused(code, function, *args):
    try:
        function(*args)
    except n.NVMLError as e:
        assert e.value == code, (function, e)
        return
    raise AssertionError("%s gives an answer" % function)


refused(n.NVML_ERROR_UNINITIALIZED, n.nvmlDeviceGetCount)
n.nvmlInit()
assert text(n.nvmlSystemGetDriverVersion()).startswith("580.")
assert n.nvmlDeviceGetCount() == count
uuids = set()
for i in range(count):
    h = n.nvmlDeviceGetHandleByIndex(i)
    assert text(n.nvmlDeviceGetName(h)) == "axon softgpu"
    uuid = text(n.nvmlDeviceGetUUID(h))
    uuids.add(uuid)
    assert n.nvmlDeviceGetIndex(n.nvmlDeviceGetHandleByUUID(uuid.encode())) == i
    pci = n.nvmlDeviceGetPciInfo(h)
    assert n.nvmlDeviceGetIndex(n.nvmlDeviceGetHandleByPciBusId(pci.busId)) == i
    memory = n.nvmlDeviceGetMemoryInfo(h)
    assert memory.total == 1 << 30
    assert n.nvmlDeviceGetMemoryInfo(h, version=n.nvmlMemory_v2).total == memory.total
    assert tuple(n.nvmlDeviceGetCudaComputeCapability(h)) == (7, 5)
    refused(n.NVML_ERROR_NOT_SUPPORTED, n.nvmlDeviceGetTemperature, h, n.NVML_TEMPERATURE_GPU)
    refused(n.NVML_ERROR_NOT_SUPPORTED, n.nvmlDeviceGetPowerUsage, h)
    for f in n.nvmlDeviceGetFieldValues(h, [n.NVML_FI_DEV_MEMORY_TEMP, n.NVML_FI_DEV_TOTAL_ENERGY_CONSUMPTION]):
        assert f.nvmlReturn == n.NVML_ERROR_NOT_SUPPORTED
assert len(uuids) == count
refused(n.NVML_ERROR_INVALID_ARGUMENT, n.nvmlDeviceGetHandleByIndex, count)
refused(n.NVML_ERROR_NOT_FOUND, n.nvmlDeviceGetHandleByUUID, b"GPU-00000000-0000-0000-0000-000000000000")
if os.geteuid() != 0:
    refused(n.NVML_ERROR_NO_PERMISSION, n.nvmlDeviceSetPersistenceMode, n.nvmlDeviceGetHandleByIndex(0), 1)
running = [p.pid for i in range(count) for p in n.nvmlDeviceGetComputeRunningProcesses(n.nvmlDeviceGetHandleByIndex(i))]
assert pid in running, running
assert "linger" in text(n.nvmlSystemGetProcessName(pid))
events = n.nvmlEventSetCreate()
n.nvmlEventSetFree(events)
n.nvmlShutdown()
refused(n.NVML_ERROR_UNINITIALIZED, n.nvmlDeviceGetCount)
print("pynvml reads", count)
