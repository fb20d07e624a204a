// SPDX-License-Identifier: Apache-2.0
// Code generated from shims/api/nvml by shims/gen; DO NOT EDIT.

package nvml

// Numbers of the calls.
const (
	CallSystemGetDriverVersion                 = 1
	CallSystemGetNVMLVersion                   = 2
	CallSystemGetCudaDriverVersion             = 3
	CallSystemGetCudaDriverVersion_v2          = 4
	CallDeviceGetCount_v2                      = 5
	CallDeviceGetCount                         = 6
	CallDeviceGetHandleByIndex_v2              = 7
	CallDeviceGetHandleByIndex                 = 8
	CallDeviceGetHandleBySerial                = 9
	CallDeviceGetHandleByUUID                  = 10
	CallDeviceGetHandleByPciBusId_v2           = 11
	CallDeviceGetHandleByPciBusId              = 12
	CallDeviceGetName                          = 13
	CallDeviceGetUUID                          = 14
	CallDeviceGetIndex                         = 15
	CallDeviceGetPciInfo_v3                    = 16
	CallDeviceGetPciInfo_v2                    = 17
	CallDeviceGetPciInfo                       = 18
	CallDeviceGetMemoryInfo                    = 19
	CallDeviceGetMemoryInfo_v2                 = 20
	CallDeviceGetUtilizationRates              = 21
	CallDeviceGetTemperature                   = 22
	CallDeviceGetPowerUsage                    = 23
	CallDeviceGetPowerManagementLimit          = 24
	CallDeviceGetEnforcedPowerLimit            = 25
	CallDeviceGetClockInfo                     = 26
	CallDeviceGetMaxClockInfo                  = 27
	CallDeviceGetFanSpeed                      = 28
	CallDeviceGetFieldValues                   = 29
	CallDeviceGetComputeRunningProcesses_v3    = 30
	CallDeviceGetComputeRunningProcesses_v2    = 31
	CallDeviceGetComputeRunningProcesses       = 32
	CallDeviceGetGraphicsRunningProcesses_v3   = 33
	CallDeviceGetGraphicsRunningProcesses_v2   = 34
	CallDeviceGetGraphicsRunningProcesses      = 35
	CallDeviceGetMPSComputeRunningProcesses_v3 = 36
	CallDeviceSetPowerManagementLimit          = 37
	CallDeviceSetPersistenceMode               = 38
)

// calls says what there is to know of each call, by its number.
var calls = [...]Info{
	CallSystemGetDriverVersion:                 {Name: "nvmlSystemGetDriverVersion", InSize: 8, OutSize: 0, In: []Field{{Name: "length", Offset: 0, Size: 4}}, OutData: []Array{{Name: "version", Element: 1, Count: "length"}}},
	CallSystemGetNVMLVersion:                   {Name: "nvmlSystemGetNVMLVersion", InSize: 8, OutSize: 0, In: []Field{{Name: "length", Offset: 0, Size: 4}}, OutData: []Array{{Name: "version", Element: 1, Count: "length"}}},
	CallSystemGetCudaDriverVersion:             {Name: "nvmlSystemGetCudaDriverVersion", InSize: 0, OutSize: 8, Out: []Field{{Name: "cudaDriverVersion", Offset: 0, Size: 4}}},
	CallSystemGetCudaDriverVersion_v2:          {Name: "nvmlSystemGetCudaDriverVersion_v2", InSize: 0, OutSize: 8, Out: []Field{{Name: "cudaDriverVersion", Offset: 0, Size: 4}}},
	CallDeviceGetCount_v2:                      {Name: "nvmlDeviceGetCount_v2", InSize: 0, OutSize: 8, Out: []Field{{Name: "deviceCount", Offset: 0, Size: 4}}},
	CallDeviceGetCount:                         {Name: "nvmlDeviceGetCount", InSize: 0, OutSize: 8, Out: []Field{{Name: "deviceCount", Offset: 0, Size: 4}}},
	CallDeviceGetHandleByIndex_v2:              {Name: "nvmlDeviceGetHandleByIndex_v2", InSize: 8, OutSize: 8, In: []Field{{Name: "index", Offset: 0, Size: 4}}, Out: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}},
	CallDeviceGetHandleByIndex:                 {Name: "nvmlDeviceGetHandleByIndex", InSize: 8, OutSize: 8, In: []Field{{Name: "index", Offset: 0, Size: 4}}, Out: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}},
	CallDeviceGetHandleBySerial:                {Name: "nvmlDeviceGetHandleBySerial", InSize: 8, OutSize: 8, In: []Field{{Name: "len_serial", Offset: 0, Size: 4}}, Out: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, InData: []Array{{Name: "serial", Element: 1, Count: "len_serial"}}},
	CallDeviceGetHandleByUUID:                  {Name: "nvmlDeviceGetHandleByUUID", InSize: 8, OutSize: 8, In: []Field{{Name: "len_uuid", Offset: 0, Size: 4}}, Out: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, InData: []Array{{Name: "uuid", Element: 1, Count: "len_uuid"}}},
	CallDeviceGetHandleByPciBusId_v2:           {Name: "nvmlDeviceGetHandleByPciBusId_v2", InSize: 8, OutSize: 8, In: []Field{{Name: "len_pciBusId", Offset: 0, Size: 4}}, Out: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, InData: []Array{{Name: "pciBusId", Element: 1, Count: "len_pciBusId"}}},
	CallDeviceGetHandleByPciBusId:              {Name: "nvmlDeviceGetHandleByPciBusId", InSize: 8, OutSize: 8, In: []Field{{Name: "len_pciBusId", Offset: 0, Size: 4}}, Out: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, InData: []Array{{Name: "pciBusId", Element: 1, Count: "len_pciBusId"}}},
	CallDeviceGetName:                          {Name: "nvmlDeviceGetName", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "length", Offset: 8, Size: 4}}, OutData: []Array{{Name: "name", Element: 1, Count: "length"}}},
	CallDeviceGetUUID:                          {Name: "nvmlDeviceGetUUID", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "length", Offset: 8, Size: 4}}, OutData: []Array{{Name: "uuid", Element: 1, Count: "length"}}},
	CallDeviceGetIndex:                         {Name: "nvmlDeviceGetIndex", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "index", Offset: 0, Size: 4}}},
	CallDeviceGetPciInfo_v3:                    {Name: "nvmlDeviceGetPciInfo_v3", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, OutData: []Array{{Name: "pci", Element: 68, Count: "1"}}},
	CallDeviceGetPciInfo_v2:                    {Name: "nvmlDeviceGetPciInfo_v2", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, OutData: []Array{{Name: "pci", Element: 52, Count: "1"}}},
	CallDeviceGetPciInfo:                       {Name: "nvmlDeviceGetPciInfo", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, OutData: []Array{{Name: "pci", Element: 52, Count: "1"}}},
	CallDeviceGetMemoryInfo:                    {Name: "nvmlDeviceGetMemoryInfo", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, OutData: []Array{{Name: "memory", Element: 24, Count: "1"}}},
	CallDeviceGetMemoryInfo_v2:                 {Name: "nvmlDeviceGetMemoryInfo_v2", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "len_memory", Offset: 8, Size: 4}}, InData: []Array{{Name: "memory", Element: 1, Count: "len_memory"}}, OutData: []Array{{Name: "memory", Element: 1, Count: "len_memory"}}},
	CallDeviceGetUtilizationRates:              {Name: "nvmlDeviceGetUtilizationRates", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, OutData: []Array{{Name: "utilization", Element: 8, Count: "1"}}},
	CallDeviceGetTemperature:                   {Name: "nvmlDeviceGetTemperature", InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "sensorType", Offset: 8, Size: 4}}, Out: []Field{{Name: "temp", Offset: 0, Size: 4}}},
	CallDeviceGetPowerUsage:                    {Name: "nvmlDeviceGetPowerUsage", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "power", Offset: 0, Size: 4}}},
	CallDeviceGetPowerManagementLimit:          {Name: "nvmlDeviceGetPowerManagementLimit", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "limit", Offset: 0, Size: 4}}},
	CallDeviceGetEnforcedPowerLimit:            {Name: "nvmlDeviceGetEnforcedPowerLimit", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "limit", Offset: 0, Size: 4}}},
	CallDeviceGetClockInfo:                     {Name: "nvmlDeviceGetClockInfo", InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "type", Offset: 8, Size: 4}}, Out: []Field{{Name: "clock", Offset: 0, Size: 4}}},
	CallDeviceGetMaxClockInfo:                  {Name: "nvmlDeviceGetMaxClockInfo", InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "type", Offset: 8, Size: 4}}, Out: []Field{{Name: "clock", Offset: 0, Size: 4}}},
	CallDeviceGetFanSpeed:                      {Name: "nvmlDeviceGetFanSpeed", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "speed", Offset: 0, Size: 4}}},
	CallDeviceGetFieldValues:                   {Name: "nvmlDeviceGetFieldValues", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "valuesCount", Offset: 8, Size: 4}}, InData: []Array{{Name: "values", Element: 40, Count: "valuesCount"}}, OutData: []Array{{Name: "values", Element: 40, Count: "valuesCount"}}},
	CallDeviceGetComputeRunningProcesses_v3:    {Name: "nvmlDeviceGetComputeRunningProcesses_v3", OnError: true, InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "infoCount", Offset: 8, Size: 4}, {Name: "has_infos", Offset: 12, Size: 4}}, Out: []Field{{Name: "infoCount", Offset: 0, Size: 4}}, OutData: []Array{{Name: "infos", Element: 24, Count: "infoCount"}}},
	CallDeviceGetComputeRunningProcesses_v2:    {Name: "nvmlDeviceGetComputeRunningProcesses_v2", OnError: true, InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "infoCount", Offset: 8, Size: 4}, {Name: "has_infos", Offset: 12, Size: 4}}, Out: []Field{{Name: "infoCount", Offset: 0, Size: 4}}, OutData: []Array{{Name: "infos", Element: 24, Count: "infoCount"}}},
	CallDeviceGetComputeRunningProcesses:       {Name: "nvmlDeviceGetComputeRunningProcesses", OnError: true, InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "infoCount", Offset: 8, Size: 4}, {Name: "has_infos", Offset: 12, Size: 4}}, Out: []Field{{Name: "infoCount", Offset: 0, Size: 4}}, OutData: []Array{{Name: "infos", Element: 16, Count: "infoCount"}}},
	CallDeviceGetGraphicsRunningProcesses_v3:   {Name: "nvmlDeviceGetGraphicsRunningProcesses_v3", OnError: true, InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "infoCount", Offset: 8, Size: 4}, {Name: "has_infos", Offset: 12, Size: 4}}, Out: []Field{{Name: "infoCount", Offset: 0, Size: 4}}, OutData: []Array{{Name: "infos", Element: 24, Count: "infoCount"}}},
	CallDeviceGetGraphicsRunningProcesses_v2:   {Name: "nvmlDeviceGetGraphicsRunningProcesses_v2", OnError: true, InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "infoCount", Offset: 8, Size: 4}, {Name: "has_infos", Offset: 12, Size: 4}}, Out: []Field{{Name: "infoCount", Offset: 0, Size: 4}}, OutData: []Array{{Name: "infos", Element: 24, Count: "infoCount"}}},
	CallDeviceGetGraphicsRunningProcesses:      {Name: "nvmlDeviceGetGraphicsRunningProcesses", OnError: true, InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "infoCount", Offset: 8, Size: 4}, {Name: "has_infos", Offset: 12, Size: 4}}, Out: []Field{{Name: "infoCount", Offset: 0, Size: 4}}, OutData: []Array{{Name: "infos", Element: 16, Count: "infoCount"}}},
	CallDeviceGetMPSComputeRunningProcesses_v3: {Name: "nvmlDeviceGetMPSComputeRunningProcesses_v3", OnError: true, InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "infoCount", Offset: 8, Size: 4}, {Name: "has_infos", Offset: 12, Size: 4}}, Out: []Field{{Name: "infoCount", Offset: 0, Size: 4}}, OutData: []Array{{Name: "infos", Element: 24, Count: "infoCount"}}},
	CallDeviceSetPowerManagementLimit:          {Name: "nvmlDeviceSetPowerManagementLimit", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "limit", Offset: 8, Size: 4}}},
	CallDeviceSetPersistenceMode:               {Name: "nvmlDeviceSetPersistenceMode", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "mode", Offset: 8, Size: 4}}},
}
