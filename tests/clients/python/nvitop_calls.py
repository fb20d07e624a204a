# SPDX-License-Identifier: Apache-2.0
#
# The calls of nvitop's table, in its order, by way of nvidia-ml-py: what its Device.as_snapshot() and Device.processes() ask
# (nvitop/api/device.py names them). A line for each, with what was answered; an answer that nvitop shows as N/A is so here.
# nvitop itself is in no distribution; where pip brings it, another test runs it.
import ctypes
import time

import pynvml as n


def shown(value):
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, ctypes._SimpleCData):
        return str(value.value)
    if isinstance(value, (int, str)):
        return str(value)
    if isinstance(value, (list, tuple)):
        return " ".join(shown(v) for v in value)
    return " ".join("%s=%s" % (name, shown(getattr(value, name))) for name, _ in value._fields_ if not name.startswith("bus") and name != "version")


def ask(name, *args, **more):
    try:
        value = getattr(n, name)(*args, **more)
    except n.NVMLError as e:
        # What nvitop takes for "not applicable"; any other error ends it.
        assert e.value in (n.NVML_ERROR_NOT_SUPPORTED, n.NVML_ERROR_FUNCTION_NOT_FOUND), (name, e)
        value = "N/A"
    print(" ".join([name[4:]] + [str(a) for a in args if isinstance(a, int) and a < 1000]) + ": " + shown(value))
    return value


n.nvmlInit()
ask("nvmlSystemGetDriverVersion")
ask("nvmlSystemGetCudaDriverVersion_v2")
for index in range(ask("nvmlDeviceGetCount")):
    d = n.nvmlDeviceGetHandleByIndex(index)
    ask("nvmlDeviceGetName", d)
    ask("nvmlDeviceGetUUID", d)
    print("bus: " + shown(n.nvmlDeviceGetPciInfo(d).busId))
    ask("nvmlDeviceGetMemoryInfo", d, version=n.nvmlMemory_v2)
    ask("nvmlDeviceGetBAR1MemoryInfo", d)
    ask("nvmlDeviceGetUtilizationRates", d)
    ask("nvmlDeviceGetEncoderUtilization", d)
    ask("nvmlDeviceGetDecoderUtilization", d)
    for function in ("nvmlDeviceGetClockInfo", "nvmlDeviceGetMaxClockInfo"):
        for clock in (n.NVML_CLOCK_GRAPHICS, n.NVML_CLOCK_SM, n.NVML_CLOCK_MEM, n.NVML_CLOCK_VIDEO):
            ask(function, d, clock)
    ask("nvmlDeviceGetFanSpeed", d)
    ask("nvmlDeviceGetTemperature", d, n.NVML_TEMPERATURE_GPU)
    ask("nvmlDeviceGetPowerUsage", d)
    ask("nvmlDeviceGetPowerManagementLimit", d)
    ask("nvmlDeviceGetPcieThroughput", d, n.NVML_PCIE_UTIL_TX_BYTES)
    ask("nvmlDeviceGetPcieThroughput", d, n.NVML_PCIE_UTIL_RX_BYTES)
    try:
        links = n.nvmlDeviceGetFieldValues(d, [n.NVML_FI_DEV_NVLINK_LINK_COUNT])[0]
        count = links.value.uiVal if links.nvmlReturn == n.NVML_SUCCESS else 0
    except n.NVMLError as e:
        assert e.value == n.NVML_ERROR_NOT_SUPPORTED, e
        count = 0
    print("links: %d" % count)
    if count:
        fields = [(f, i) for f in (n.NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_TX, n.NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_RX) for i in range(count)]
        values = n.nvmlDeviceGetFieldValues(d, fields)
        assert [(v.fieldId, v.scopeId) for v in values] == fields
    ask("nvmlDeviceGetDisplayActive", d)
    ask("nvmlDeviceGetDisplayMode", d)
    ask("nvmlDeviceGetPersistenceMode", d)
    ask("nvmlDeviceGetPerformanceState", d)
    ask("nvmlDeviceGetTotalEccErrors", d, n.NVML_MEMORY_ERROR_TYPE_UNCORRECTED, n.NVML_VOLATILE_ECC)
    ask("nvmlDeviceGetComputeMode", d)
    ask("nvmlDeviceGetCudaComputeCapability", d)
    ask("nvmlDeviceIsMigDeviceHandle", d)
    ask("nvmlDeviceGetMigMode", d)
    ask("nvmlDeviceGetMaxMigDeviceCount", d)
    pids = []
    for kind in ("Compute", "Graphics"):
        try:
            running = getattr(n, "nvmlDeviceGet%sRunningProcesses" % kind)(d)
        except n.NVMLError as e:
            assert e.value == n.NVML_ERROR_NOT_SUPPORTED, e
            running = []
        pids += [p.pid for p in running]
        print("%s: %s" % (kind, " ".join("%d=%s" % (p.pid, p.usedGpuMemory) for p in running)))
    if pids:
        try:
            samples = n.nvmlDeviceGetProcessUtilization(d, time.time_ns() // 1000 - 1000000)
        except n.NVMLError as e:
            assert e.value in (n.NVML_ERROR_NOT_SUPPORTED, n.NVML_ERROR_NOT_FOUND), e
            samples = []
        assert all(s.pid in pids for s in samples), [s.pid for s in samples]
n.nvmlShutdown()
