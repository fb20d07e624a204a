// SPDX-License-Identifier: Apache-2.0
// Code generated from shims/api/nvml by shims/gen; DO NOT EDIT.

package nvml

// Numbers of the calls.
const (
	CallSystemGetDriverVersion                           = 1
	CallSystemGetNVMLVersion                             = 2
	CallSystemGetCudaDriverVersion                       = 3
	CallSystemGetCudaDriverVersion_v2                    = 4
	CallSystemGetDriverBranch                            = 5
	CallDeviceGetCount_v2                                = 6
	CallDeviceGetCount                                   = 7
	CallDeviceGetAttributes_v2                           = 8
	CallDeviceGetAttributes                              = 9
	CallDeviceGetHandleByIndex_v2                        = 10
	CallDeviceGetHandleByIndex                           = 11
	CallDeviceGetHandleBySerial                          = 12
	CallDeviceGetHandleByUUID                            = 13
	CallDeviceGetHandleByPciBusId_v2                     = 14
	CallDeviceGetHandleByPciBusId                        = 15
	CallDeviceGetName                                    = 16
	CallDeviceGetBrand                                   = 17
	CallDeviceGetIndex                                   = 18
	CallDeviceGetSerial                                  = 19
	CallDeviceGetUUID                                    = 20
	CallDeviceGetMinorNumber                             = 21
	CallDeviceGetBoardPartNumber                         = 22
	CallDeviceGetDisplayMode                             = 23
	CallDeviceGetDisplayActive                           = 24
	CallDeviceGetPersistenceMode                         = 25
	CallDeviceGetComputeMode                             = 26
	CallDeviceGetCudaComputeCapability                   = 27
	CallDeviceGetBoardId                                 = 28
	CallDeviceGetMultiGpuBoard                           = 29
	CallDeviceGetVbiosVersion                            = 30
	CallDeviceGetAPIRestriction                          = 31
	CallDeviceGetNumGpuCores                             = 32
	CallDeviceGetMemoryBusWidth                          = 33
	CallDeviceGetArchitecture                            = 34
	CallDeviceSetPersistenceMode                         = 35
	CallDeviceSetComputeMode                             = 36
	CallDeviceSetDriverModel                             = 37
	CallDeviceSetAPIRestriction                          = 38
	CallDeviceGetGspFirmwareVersion                      = 39
	CallDeviceGetGspFirmwareMode                         = 40
	CallDeviceGetPgpuMetadataString                      = 41
	CallDeviceGetHandleByUUIDV                           = 42
	CallDeviceGetModuleId                                = 43
	CallDeviceGetAddressingMode                          = 44
	CallDeviceGetDriverModel_v2                          = 45
	CallDeviceGetDriverModel                             = 46
	CallDeviceGetPlatformInfo                            = 47
	CallDeviceGetPdi                                     = 48
	CallDeviceGetHostname_v1                             = 49
	CallDeviceSetHostname_v1                             = 50
	CallDeviceGetCapabilities                            = 51
	CallDeviceGetMemoryInfo                              = 52
	CallDeviceGetMemoryInfo_v2                           = 53
	CallDeviceGetUtilizationRates                        = 54
	CallDeviceGetEncoderUtilization                      = 55
	CallDeviceGetEncoderCapacity                         = 56
	CallDeviceGetDecoderUtilization                      = 57
	CallDeviceGetSamples                                 = 58
	CallDeviceGetBAR1MemoryInfo                          = 59
	CallDeviceGetViolationStatus                         = 60
	CallDeviceGetFieldValues                             = 61
	CallDeviceGetDramEncryptionMode                      = 62
	CallDeviceSetDramEncryptionMode                      = 63
	CallDeviceGetJpgUtilization                          = 64
	CallDeviceGetOfaUtilization                          = 65
	CallDeviceClearFieldValues                           = 66
	CallDeviceGetEncoderStats                            = 67
	CallDeviceGetEncoderSessions                         = 68
	CallDeviceGetFBCStats                                = 69
	CallDeviceGetFBCSessions                             = 70
	CallDeviceGetComputeRunningProcesses_v3              = 71
	CallDeviceGetGraphicsRunningProcesses_v3             = 72
	CallDeviceGetMPSComputeRunningProcesses_v3           = 73
	CallDeviceGetAccountingMode                          = 74
	CallDeviceGetAccountingStats                         = 75
	CallDeviceGetAccountingPids                          = 76
	CallDeviceGetAccountingBufferSize                    = 77
	CallDeviceSetAccountingMode                          = 78
	CallDeviceClearAccountingPids                        = 79
	CallDeviceGetProcessUtilization                      = 80
	CallDeviceGetComputeRunningProcesses                 = 81
	CallDeviceGetComputeRunningProcesses_v2              = 82
	CallDeviceGetGraphicsRunningProcesses                = 83
	CallDeviceGetGraphicsRunningProcesses_v2             = 84
	CallDeviceGetMPSComputeRunningProcesses              = 85
	CallDeviceGetMPSComputeRunningProcesses_v2           = 86
	CallDeviceGetClockInfo                               = 87
	CallDeviceGetMaxClockInfo                            = 88
	CallDeviceGetApplicationsClock                       = 89
	CallDeviceGetDefaultApplicationsClock                = 90
	CallDeviceResetApplicationsClocks                    = 91
	CallDeviceGetClock                                   = 92
	CallDeviceGetMaxCustomerBoostClock                   = 93
	CallDeviceGetSupportedMemoryClocks                   = 94
	CallDeviceGetSupportedGraphicsClocks                 = 95
	CallDeviceGetAutoBoostedClocksEnabled                = 96
	CallDeviceSetAutoBoostedClocksEnabled                = 97
	CallDeviceSetDefaultAutoBoostedClocksEnabled         = 98
	CallDeviceGetPerformanceState                        = 99
	CallDeviceGetCurrentClocksThrottleReasons            = 100
	CallDeviceGetSupportedClocksThrottleReasons          = 101
	CallDeviceGetAdaptiveClockInfoStatus                 = 102
	CallDeviceSetGpuLockedClocks                         = 103
	CallDeviceResetGpuLockedClocks                       = 104
	CallDeviceSetMemoryLockedClocks                      = 105
	CallDeviceResetMemoryLockedClocks                    = 106
	CallDeviceSetApplicationsClocks                      = 107
	CallDeviceGetClkMonStatus                            = 108
	CallDeviceGetDynamicPstatesInfo                      = 109
	CallDeviceGetGpcClkVfOffset                          = 110
	CallDeviceSetGpcClkVfOffset                          = 111
	CallDeviceGetMemClkVfOffset                          = 112
	CallDeviceSetMemClkVfOffset                          = 113
	CallDeviceGetMinMaxClockOfPState                     = 114
	CallDeviceGetSupportedPerformanceStates              = 115
	CallDeviceGetGpcClkMinMaxVfOffset                    = 116
	CallDeviceGetMemClkMinMaxVfOffset                    = 117
	CallDeviceGetCurrentClocksEventReasons               = 118
	CallDeviceGetSupportedClocksEventReasons             = 119
	CallDeviceGetClockOffsets                            = 120
	CallDeviceSetClockOffsets                            = 121
	CallDeviceGetPerformanceModes                        = 122
	CallDeviceGetCurrentClockFreqs                       = 123
	CallDeviceGetPowerState                              = 124
	CallDeviceGetPowerManagementMode                     = 125
	CallDeviceGetPowerManagementLimit                    = 126
	CallDeviceGetPowerManagementLimitConstraints         = 127
	CallDeviceGetPowerManagementDefaultLimit             = 128
	CallDeviceGetPowerUsage                              = 129
	CallDeviceGetTotalEnergyConsumption                  = 130
	CallDeviceGetEnforcedPowerLimit                      = 131
	CallDeviceGetGpuOperationMode                        = 132
	CallDeviceGetPowerSource                             = 133
	CallDeviceSetPowerManagementLimit                    = 134
	CallDeviceSetGpuOperationMode                        = 135
	CallDeviceGetPowerMizerMode_v1                       = 136
	CallDeviceSetPowerMizerMode_v1                       = 137
	CallDeviceSetPowerManagementLimit_v2                 = 138
	CallDeviceWorkloadPowerProfileGetProfilesInfo        = 139
	CallDeviceWorkloadPowerProfileGetCurrentProfiles     = 140
	CallDeviceWorkloadPowerProfileSetRequestedProfiles   = 141
	CallDeviceWorkloadPowerProfileClearRequestedProfiles = 142
	CallDevicePowerSmoothingActivatePresetProfile        = 143
	CallDevicePowerSmoothingUpdatePresetProfileParam     = 144
	CallDevicePowerSmoothingSetState                     = 145
	CallDeviceGetFanSpeed                                = 146
	CallDeviceGetFanSpeed_v2                             = 147
	CallDeviceGetTargetFanSpeed                          = 148
	CallDeviceSetDefaultFanSpeed_v2                      = 149
	CallDeviceGetMinMaxFanSpeed                          = 150
	CallDeviceGetNumFans                                 = 151
	CallDeviceGetTemperature                             = 152
	CallDeviceGetTemperatureThreshold                    = 153
	CallDeviceSetTemperatureThreshold                    = 154
	CallDeviceGetThermalSettings                         = 155
	CallDeviceSetFanSpeed_v2                             = 156
	CallDeviceGetFanSpeedRPM                             = 157
	CallDeviceGetFanControlPolicy_v2                     = 158
	CallDeviceSetFanControlPolicy                        = 159
	CallDeviceGetCoolerInfo                              = 160
	CallDeviceGetTemperatureV                            = 161
	CallDeviceGetMarginTemperature                       = 162
	CallDeviceGetInforomVersion                          = 163
	CallDeviceGetInforomImageVersion                     = 164
	CallDeviceGetInforomConfigurationChecksum            = 165
	CallDeviceValidateInforom                            = 166
	CallDeviceGetEccMode                                 = 167
	CallDeviceGetDefaultEccMode                          = 168
	CallDeviceGetTotalEccErrors                          = 169
	CallDeviceGetDetailedEccErrors                       = 170
	CallDeviceGetMemoryErrorCounter                      = 171
	CallDeviceGetRetiredPages                            = 172
	CallDeviceGetRetiredPages_v2                         = 173
	CallDeviceGetRetiredPagesPendingStatus               = 174
	CallDeviceGetRemappedRows                            = 175
	CallDeviceGetRemappedRows_v2                         = 176
	CallDeviceGetRowRemapperHistogram                    = 177
	CallDeviceGetUnrepairableMemoryFlag_v1               = 178
	CallDeviceSetEccMode                                 = 179
	CallDeviceClearEccErrorCounts                        = 180
	CallDeviceGetRepairStatus                            = 181
	CallDeviceGetLastBBXFlushTime                        = 182
	CallDeviceGetSramEccErrorStatus                      = 183
	CallDeviceReadWritePRM_v1                            = 184
	CallDeviceGetPciInfo_v3                              = 185
	CallDeviceGetMaxPcieLinkGeneration                   = 186
	CallDeviceGetMaxPcieLinkWidth                        = 187
	CallDeviceGetCurrPcieLinkGeneration                  = 188
	CallDeviceGetCurrPcieLinkWidth                       = 189
	CallDeviceGetPcieThroughput                          = 190
	CallDeviceGetPcieReplayCounter                       = 191
	CallDeviceGetBridgeChipInfo                          = 192
	CallDeviceGetIrqNum                                  = 193
	CallDeviceGetPcieLinkMaxSpeed                        = 194
	CallDeviceGetPcieSpeed                               = 195
	CallDeviceGetBusType                                 = 196
	CallDeviceGetPciInfo_v2                              = 197
	CallDeviceGetPciInfo                                 = 198
	CallDeviceGetPciInfoExt                              = 199
	CallDeviceGetGpuMaxPcieLinkGeneration                = 200
	CallDeviceGetNvLinkState                             = 201
	CallDeviceGetNvLinkVersion                           = 202
	CallDeviceGetNvLinkCapability                        = 203
	CallDeviceGetNvLinkRemotePciInfo_v2                  = 204
	CallDeviceGetNvLinkErrorCounter                      = 205
	CallDeviceResetNvLinkErrorCounters                   = 206
	CallDeviceSetNvLinkUtilizationControl                = 207
	CallDeviceGetNvLinkUtilizationControl                = 208
	CallDeviceGetNvLinkUtilizationCounter                = 209
	CallDeviceFreezeNvLinkUtilizationCounter             = 210
	CallDeviceResetNvLinkUtilizationCounter              = 211
	CallDeviceGetNvLinkRemoteDeviceType                  = 212
	CallDeviceGetC2cModeInfoV                            = 213
	CallDeviceGetGpuFabricInfo                           = 214
	CallDeviceGetGpuFabricInfoV                          = 215
	CallDeviceSetNvLinkDeviceLowPowerThreshold           = 216
	CallSystemSetNvlinkBwMode                            = 217
	CallSystemGetNvlinkBwMode                            = 218
	CallDeviceGetNvlinkSupportedBwModes                  = 219
	CallDeviceGetNvlinkBwMode                            = 220
	CallDeviceSetNvlinkBwMode                            = 221
	CallDeviceGetNvLinkInfo                              = 222
	CallDeviceGetNvLinkRemotePciInfo                     = 223
	CallDeviceGetMemoryAffinity                          = 224
	CallDeviceGetCpuAffinityWithinScope                  = 225
	CallDeviceGetCpuAffinity                             = 226
	CallDeviceGetTopologyCommonAncestor                  = 227
	CallDeviceGetTopologyNearestGpus                     = 228
	CallSystemGetTopologyGpuSet                          = 229
	CallDeviceGetP2PStatus                               = 230
	CallDeviceOnSameBoard                                = 231
	CallDeviceGetNumaNodeId                              = 232
	CallDeviceSetMigMode                                 = 233
	CallDeviceGetMigMode                                 = 234
	CallDeviceGetGpuInstanceProfileInfo                  = 235
	CallDeviceGetGpuInstanceProfileInfoV                 = 236
	CallDeviceGetGpuInstancePossiblePlacements_v2        = 237
	CallDeviceGetGpuInstanceRemainingCapacity            = 238
	CallDeviceCreateGpuInstance                          = 239
	CallDeviceCreateGpuInstanceWithPlacement             = 240
	CallGpuInstanceDestroy                               = 241
	CallDeviceGetGpuInstances                            = 242
	CallDeviceGetGpuInstanceById                         = 243
	CallGpuInstanceGetInfo                               = 244
	CallGpuInstanceGetComputeInstanceProfileInfo         = 245
	CallGpuInstanceGetComputeInstanceProfileInfoV        = 246
	CallGpuInstanceGetComputeInstanceRemainingCapacity   = 247
	CallGpuInstanceCreateComputeInstance                 = 248
	CallComputeInstanceDestroy                           = 249
	CallGpuInstanceGetComputeInstances                   = 250
	CallGpuInstanceGetComputeInstanceById                = 251
	CallComputeInstanceGetInfo_v2                        = 252
	CallComputeInstanceGetInfo                           = 253
	CallDeviceIsMigDeviceHandle                          = 254
	CallDeviceGetGpuInstanceId                           = 255
	CallDeviceGetComputeInstanceId                       = 256
	CallDeviceGetMaxMigDeviceCount                       = 257
	CallDeviceGetMigDeviceHandleByIndex                  = 258
	CallDeviceGetDeviceHandleFromMigDeviceHandle         = 259
	CallDeviceGetGpuInstancePossiblePlacements           = 260
	CallDeviceGetGpuInstanceProfileInfoByIdV             = 261
	CallGpuInstanceCreateComputeInstanceWithPlacement    = 262
	CallGpmMigSampleGet                                  = 263
	CallGpuInstanceGetComputeInstancePossiblePlacements  = 264
	CallUnitGetCount                                     = 265
	CallUnitGetHandleByIndex                             = 266
	CallUnitGetUnitInfo                                  = 267
	CallUnitGetLedState                                  = 268
	CallUnitGetPsuInfo                                   = 269
	CallUnitGetTemperature                               = 270
	CallUnitGetFanSpeedInfo                              = 271
	CallUnitGetDevices                                   = 272
	CallSystemGetHicVersion                              = 273
	CallUnitSetLedState                                  = 274
	CallEventSetCreate                                   = 275
	CallDeviceRegisterEvents                             = 276
	CallDeviceGetSupportedEventTypes                     = 277
	CallEventSetWait_v2                                  = 278
	CallEventSetFree                                     = 279
	CallEventSetWait                                     = 280
	CallGpmSampleFree                                    = 281
	CallGpmSampleAlloc                                   = 282
	CallGpmSampleGet                                     = 283
	CallGpmQueryDeviceSupport                            = 284
	CallGpmQueryIfStreamingEnabled                       = 285
	CallGpmSetStreamingEnabled                           = 286
	CallDeviceModifyDrainState                           = 287
	CallDeviceQueryDrainState                            = 288
	CallDeviceRemoveGpu_v2                               = 289
	CallDeviceDiscoverGpus                               = 290
	CallGetExcludedDeviceCount                           = 291
	CallGetBlacklistDeviceCount                          = 292
	CallGetExcludedDeviceInfoByIndex                     = 293
	CallGetBlacklistDeviceInfoByIndex                    = 294
	CallDeviceRemoveGpu                                  = 295
	CallSystemGetConfComputeCapabilities                 = 296
	CallSystemGetConfComputeState                        = 297
	CallDeviceGetConfComputeMemSizeInfo                  = 298
	CallSystemGetConfComputeGpusReadyState               = 299
	CallDeviceGetConfComputeProtectedMemoryUsage         = 300
	CallDeviceGetConfComputeGpuCertificate               = 301
	CallDeviceGetConfComputeGpuAttestationReport         = 302
	CallSystemGetConfComputeKeyRotationThresholdInfo     = 303
	CallDeviceSetConfComputeUnprotectedMemSize           = 304
	CallSystemSetConfComputeGpusReadyState               = 305
	CallSystemSetConfComputeKeyRotationThresholdInfo     = 306
	CallSystemGetConfComputeSettings                     = 307
	CallVgpuInstanceGetMdevUUID                          = 308
	CallDeviceGetVirtualizationMode                      = 309
	CallDeviceGetHostVgpuMode                            = 310
	CallDeviceSetVirtualizationMode                      = 311
	CallDeviceGetGridLicensableFeatures_v4               = 312
	CallDeviceGetSupportedVgpus                          = 313
	CallDeviceGetCreatableVgpus                          = 314
	CallVgpuTypeGetClass                                 = 315
	CallVgpuTypeGetName                                  = 316
	CallVgpuTypeGetGpuInstanceProfileId                  = 317
	CallVgpuTypeGetDeviceID                              = 318
	CallVgpuTypeGetFramebufferSize                       = 319
	CallVgpuTypeGetNumDisplayHeads                       = 320
	CallVgpuTypeGetResolution                            = 321
	CallVgpuTypeGetLicense                               = 322
	CallVgpuTypeGetFrameRateLimit                        = 323
	CallVgpuTypeGetMaxInstances                          = 324
	CallVgpuTypeGetMaxInstancesPerVm                     = 325
	CallDeviceGetActiveVgpus                             = 326
	CallVgpuInstanceGetVmID                              = 327
	CallVgpuInstanceGetUUID                              = 328
	CallVgpuInstanceGetVmDriverVersion                   = 329
	CallVgpuInstanceGetFbUsage                           = 330
	CallVgpuInstanceGetLicenseStatus                     = 331
	CallVgpuInstanceGetType                              = 332
	CallVgpuInstanceGetFrameRateLimit                    = 333
	CallVgpuInstanceGetEccMode                           = 334
	CallVgpuInstanceGetEncoderCapacity                   = 335
	CallVgpuInstanceSetEncoderCapacity                   = 336
	CallVgpuInstanceGetEncoderStats                      = 337
	CallVgpuInstanceGetEncoderSessions                   = 338
	CallVgpuInstanceGetFBCStats                          = 339
	CallVgpuInstanceGetFBCSessions                       = 340
	CallVgpuInstanceGetGpuInstanceId                     = 341
	CallVgpuInstanceGetGpuPciId                          = 342
	CallVgpuTypeGetCapabilities                          = 343
	CallVgpuInstanceGetMetadata                          = 344
	CallDeviceGetVgpuMetadata                            = 345
	CallGetVgpuVersion                                   = 346
	CallSetVgpuVersion                                   = 347
	CallDeviceGetVgpuUtilization                         = 348
	CallDeviceGetVgpuProcessUtilization                  = 349
	CallVgpuInstanceGetAccountingMode                    = 350
	CallVgpuInstanceGetAccountingPids                    = 351
	CallVgpuInstanceGetAccountingStats                   = 352
	CallVgpuInstanceClearAccountingPids                  = 353
	CallVgpuInstanceGetLicenseInfo_v2                    = 354
	CallVgpuInstanceGetLicenseInfo                       = 355
	CallDeviceGetGridLicensableFeatures                  = 356
	CallDeviceGetGridLicensableFeatures_v2               = 357
	CallDeviceGetGridLicensableFeatures_v3               = 358
	CallDeviceGetVgpuHeterogeneousMode                   = 359
	CallDeviceSetVgpuHeterogeneousMode                   = 360
	CallVgpuInstanceGetPlacementId                       = 361
	CallVgpuTypeGetGspHeapSize                           = 362
	CallVgpuTypeGetFbReservation                         = 363
	CallVgpuInstanceGetRuntimeStateSize                  = 364
	CallDeviceSetVgpuCapabilities                        = 365
	CallGetVgpuDriverCapabilities                        = 366
	CallDeviceGetVgpuCapabilities                        = 367
	CallVgpuTypeGetBAR1Info                              = 368
	CallVgpuTypeGetMaxInstancesPerGpuInstance            = 369
	CallGpuInstanceSetVgpuSchedulerState                 = 370
	CallGpuInstanceGetVgpuSchedulerState                 = 371
	CallGpuInstanceGetVgpuSchedulerLog                   = 372
	CallGpuInstanceGetVgpuHeterogeneousMode              = 373
	CallGpuInstanceSetVgpuHeterogeneousMode              = 374
	CallDeviceGetVgpuSchedulerLog                        = 375
	CallDeviceGetVgpuSchedulerState                      = 376
	CallDeviceGetVgpuSchedulerCapabilities               = 377
	CallDeviceSetVgpuSchedulerState                      = 378
	CallDeviceGetRunningProcessDetailList                = 379
	CallDeviceGetProcessesUtilizationInfo                = 380
	CallDeviceGetSramUniqueUncorrectedEccErrorCounts     = 381
	CallDeviceReadPRMCounters_v1                         = 382
	CallGpmMetricsGet                                    = 383
)

// calls says what there is to know of each call, by its number.
var calls = [...]Info{
	CallSystemGetDriverVersion:                           {Name: "nvmlSystemGetDriverVersion", InSize: 8, OutSize: 0, In: []Field{{Name: "length", Offset: 0, Size: 4}}, OutData: []Array{{Name: "version", Element: 1, Count: "length"}}},
	CallSystemGetNVMLVersion:                             {Name: "nvmlSystemGetNVMLVersion", InSize: 8, OutSize: 0, In: []Field{{Name: "length", Offset: 0, Size: 4}}, OutData: []Array{{Name: "version", Element: 1, Count: "length"}}},
	CallSystemGetCudaDriverVersion:                       {Name: "nvmlSystemGetCudaDriverVersion", InSize: 0, OutSize: 8, Out: []Field{{Name: "cudaDriverVersion", Offset: 0, Size: 4}}},
	CallSystemGetCudaDriverVersion_v2:                    {Name: "nvmlSystemGetCudaDriverVersion_v2", InSize: 0, OutSize: 8, Out: []Field{{Name: "cudaDriverVersion", Offset: 0, Size: 4}}},
	CallSystemGetDriverBranch:                            {Name: "nvmlSystemGetDriverBranch", InSize: 8, OutSize: 0, In: []Field{{Name: "len_branchInfo", Offset: 0, Size: 4}, {Name: "length", Offset: 4, Size: 4}}, InData: []Array{{Name: "branchInfo", Element: 1, Count: "len_branchInfo"}}, OutData: []Array{{Name: "branchInfo", Element: 1, Count: "len_branchInfo"}}},
	CallDeviceGetCount_v2:                                {Name: "nvmlDeviceGetCount_v2", InSize: 0, OutSize: 8, Out: []Field{{Name: "deviceCount", Offset: 0, Size: 4}}},
	CallDeviceGetCount:                                   {Name: "nvmlDeviceGetCount", InSize: 0, OutSize: 8, Out: []Field{{Name: "deviceCount", Offset: 0, Size: 4}}},
	CallDeviceGetAttributes_v2:                           {Name: "nvmlDeviceGetAttributes_v2", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, OutData: []Array{{Name: "attributes", Element: 40, Count: "1"}}},
	CallDeviceGetAttributes:                              {Name: "nvmlDeviceGetAttributes", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, OutData: []Array{{Name: "attributes", Element: 40, Count: "1"}}},
	CallDeviceGetHandleByIndex_v2:                        {Name: "nvmlDeviceGetHandleByIndex_v2", InSize: 8, OutSize: 8, In: []Field{{Name: "index", Offset: 0, Size: 4}}, Out: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}},
	CallDeviceGetHandleByIndex:                           {Name: "nvmlDeviceGetHandleByIndex", InSize: 8, OutSize: 8, In: []Field{{Name: "index", Offset: 0, Size: 4}}, Out: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}},
	CallDeviceGetHandleBySerial:                          {Name: "nvmlDeviceGetHandleBySerial", InSize: 8, OutSize: 8, In: []Field{{Name: "len_serial", Offset: 0, Size: 4}}, Out: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, InData: []Array{{Name: "serial", Element: 1, Count: "len_serial"}}},
	CallDeviceGetHandleByUUID:                            {Name: "nvmlDeviceGetHandleByUUID", InSize: 8, OutSize: 8, In: []Field{{Name: "len_uuid", Offset: 0, Size: 4}}, Out: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, InData: []Array{{Name: "uuid", Element: 1, Count: "len_uuid"}}},
	CallDeviceGetHandleByPciBusId_v2:                     {Name: "nvmlDeviceGetHandleByPciBusId_v2", InSize: 8, OutSize: 8, In: []Field{{Name: "len_pciBusId", Offset: 0, Size: 4}}, Out: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, InData: []Array{{Name: "pciBusId", Element: 1, Count: "len_pciBusId"}}},
	CallDeviceGetHandleByPciBusId:                        {Name: "nvmlDeviceGetHandleByPciBusId", InSize: 8, OutSize: 8, In: []Field{{Name: "len_pciBusId", Offset: 0, Size: 4}}, Out: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, InData: []Array{{Name: "pciBusId", Element: 1, Count: "len_pciBusId"}}},
	CallDeviceGetName:                                    {Name: "nvmlDeviceGetName", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "length", Offset: 8, Size: 4}}, OutData: []Array{{Name: "name", Element: 1, Count: "length"}}},
	CallDeviceGetBrand:                                   {Name: "nvmlDeviceGetBrand", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "type", Offset: 0, Size: 4}}},
	CallDeviceGetIndex:                                   {Name: "nvmlDeviceGetIndex", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "index", Offset: 0, Size: 4}}},
	CallDeviceGetSerial:                                  {Name: "nvmlDeviceGetSerial", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "length", Offset: 8, Size: 4}}, OutData: []Array{{Name: "serial", Element: 1, Count: "length"}}},
	CallDeviceGetUUID:                                    {Name: "nvmlDeviceGetUUID", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "length", Offset: 8, Size: 4}}, OutData: []Array{{Name: "uuid", Element: 1, Count: "length"}}},
	CallDeviceGetMinorNumber:                             {Name: "nvmlDeviceGetMinorNumber", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "minorNumber", Offset: 0, Size: 4}}},
	CallDeviceGetBoardPartNumber:                         {Name: "nvmlDeviceGetBoardPartNumber", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "length", Offset: 8, Size: 4}}, OutData: []Array{{Name: "partNumber", Element: 1, Count: "length"}}},
	CallDeviceGetDisplayMode:                             {Name: "nvmlDeviceGetDisplayMode", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "display", Offset: 0, Size: 4}}},
	CallDeviceGetDisplayActive:                           {Name: "nvmlDeviceGetDisplayActive", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "isActive", Offset: 0, Size: 4}}},
	CallDeviceGetPersistenceMode:                         {Name: "nvmlDeviceGetPersistenceMode", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "mode", Offset: 0, Size: 4}}},
	CallDeviceGetComputeMode:                             {Name: "nvmlDeviceGetComputeMode", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "mode", Offset: 0, Size: 4}}},
	CallDeviceGetCudaComputeCapability:                   {Name: "nvmlDeviceGetCudaComputeCapability", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "major", Offset: 0, Size: 4}, {Name: "minor", Offset: 4, Size: 4}}},
	CallDeviceGetBoardId:                                 {Name: "nvmlDeviceGetBoardId", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "boardId", Offset: 0, Size: 4}}},
	CallDeviceGetMultiGpuBoard:                           {Name: "nvmlDeviceGetMultiGpuBoard", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "multiGpuBool", Offset: 0, Size: 4}}},
	CallDeviceGetVbiosVersion:                            {Name: "nvmlDeviceGetVbiosVersion", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "length", Offset: 8, Size: 4}}, OutData: []Array{{Name: "version", Element: 1, Count: "length"}}},
	CallDeviceGetAPIRestriction:                          {Name: "nvmlDeviceGetAPIRestriction", InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "apiType", Offset: 8, Size: 4}}, Out: []Field{{Name: "isRestricted", Offset: 0, Size: 4}}},
	CallDeviceGetNumGpuCores:                             {Name: "nvmlDeviceGetNumGpuCores", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "numCores", Offset: 0, Size: 4}}},
	CallDeviceGetMemoryBusWidth:                          {Name: "nvmlDeviceGetMemoryBusWidth", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "busWidth", Offset: 0, Size: 4}}},
	CallDeviceGetArchitecture:                            {Name: "nvmlDeviceGetArchitecture", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "arch", Offset: 0, Size: 4}}},
	CallDeviceSetPersistenceMode:                         {Name: "nvmlDeviceSetPersistenceMode", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "mode", Offset: 8, Size: 4}}},
	CallDeviceSetComputeMode:                             {Name: "nvmlDeviceSetComputeMode", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "mode", Offset: 8, Size: 4}}},
	CallDeviceSetDriverModel:                             {Name: "nvmlDeviceSetDriverModel", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "driverModel", Offset: 8, Size: 4}, {Name: "flags", Offset: 12, Size: 4}}},
	CallDeviceSetAPIRestriction:                          {Name: "nvmlDeviceSetAPIRestriction", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "apiType", Offset: 8, Size: 4}, {Name: "isRestricted", Offset: 12, Size: 4}}},
	CallDeviceGetGspFirmwareVersion:                      {Name: "nvmlDeviceGetGspFirmwareVersion", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, OutData: []Array{{Name: "version", Element: 1, Count: "64"}}},
	CallDeviceGetGspFirmwareMode:                         {Name: "nvmlDeviceGetGspFirmwareMode", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "isEnabled", Offset: 0, Size: 4}, {Name: "defaultMode", Offset: 4, Size: 4}}},
	CallDeviceGetPgpuMetadataString:                      {Name: "nvmlDeviceGetPgpuMetadataString", OnError: true, InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "has_pgpuMetadata", Offset: 8, Size: 4}, {Name: "bufferSize", Offset: 12, Size: 4}}, Out: []Field{{Name: "bufferSize", Offset: 0, Size: 4}}, OutData: []Array{{Name: "pgpuMetadata", Element: 1, Count: "bufferSize"}}},
	CallDeviceGetHandleByUUIDV:                           {Name: "nvmlDeviceGetHandleByUUIDV", InSize: 8, OutSize: 8, In: []Field{{Name: "len_uuid", Offset: 0, Size: 4}}, Out: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, InData: []Array{{Name: "uuid", Element: 1, Count: "len_uuid"}}},
	CallDeviceGetModuleId:                                {Name: "nvmlDeviceGetModuleId", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "moduleId", Offset: 0, Size: 4}}},
	CallDeviceGetAddressingMode:                          {Name: "nvmlDeviceGetAddressingMode", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "len_mode", Offset: 8, Size: 4}}, InData: []Array{{Name: "mode", Element: 1, Count: "len_mode"}}, OutData: []Array{{Name: "mode", Element: 1, Count: "len_mode"}}},
	CallDeviceGetDriverModel_v2:                          {Name: "nvmlDeviceGetDriverModel_v2", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "current", Offset: 0, Size: 4}, {Name: "pending", Offset: 4, Size: 4}}},
	CallDeviceGetDriverModel:                             {Name: "nvmlDeviceGetDriverModel", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "current", Offset: 0, Size: 4}, {Name: "pending", Offset: 4, Size: 4}}},
	CallDeviceGetPlatformInfo:                            {Name: "nvmlDeviceGetPlatformInfo", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "len_platformInfo", Offset: 8, Size: 4}}, InData: []Array{{Name: "platformInfo", Element: 1, Count: "len_platformInfo"}}, OutData: []Array{{Name: "platformInfo", Element: 1, Count: "len_platformInfo"}}},
	CallDeviceGetPdi:                                     {Name: "nvmlDeviceGetPdi", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "len_pdi", Offset: 8, Size: 4}}, InData: []Array{{Name: "pdi", Element: 1, Count: "len_pdi"}}, OutData: []Array{{Name: "pdi", Element: 1, Count: "len_pdi"}}},
	CallDeviceGetHostname_v1:                             {Name: "nvmlDeviceGetHostname_v1", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, OutData: []Array{{Name: "hostname", Element: 64, Count: "1"}}},
	CallDeviceSetHostname_v1:                             {Name: "nvmlDeviceSetHostname_v1", Root: true, InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, InData: []Array{{Name: "hostname", Element: 64, Count: "1"}}},
	CallDeviceGetCapabilities:                            {Name: "nvmlDeviceGetCapabilities", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "len_caps", Offset: 8, Size: 4}}, InData: []Array{{Name: "caps", Element: 1, Count: "len_caps"}}, OutData: []Array{{Name: "caps", Element: 1, Count: "len_caps"}}},
	CallDeviceGetMemoryInfo:                              {Name: "nvmlDeviceGetMemoryInfo", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, OutData: []Array{{Name: "memory", Element: 24, Count: "1"}}},
	CallDeviceGetMemoryInfo_v2:                           {Name: "nvmlDeviceGetMemoryInfo_v2", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "len_memory", Offset: 8, Size: 4}}, InData: []Array{{Name: "memory", Element: 1, Count: "len_memory"}}, OutData: []Array{{Name: "memory", Element: 1, Count: "len_memory"}}},
	CallDeviceGetUtilizationRates:                        {Name: "nvmlDeviceGetUtilizationRates", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, OutData: []Array{{Name: "utilization", Element: 8, Count: "1"}}},
	CallDeviceGetEncoderUtilization:                      {Name: "nvmlDeviceGetEncoderUtilization", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "utilization", Offset: 0, Size: 4}, {Name: "samplingPeriodUs", Offset: 4, Size: 4}}},
	CallDeviceGetEncoderCapacity:                         {Name: "nvmlDeviceGetEncoderCapacity", InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "encoderQueryType", Offset: 8, Size: 4}}, Out: []Field{{Name: "encoderCapacity", Offset: 0, Size: 4}}},
	CallDeviceGetDecoderUtilization:                      {Name: "nvmlDeviceGetDecoderUtilization", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "utilization", Offset: 0, Size: 4}, {Name: "samplingPeriodUs", Offset: 4, Size: 4}}},
	CallDeviceGetSamples:                                 {Name: "nvmlDeviceGetSamples", OnError: true, InSize: 32, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "type", Offset: 8, Size: 4}, {Name: "lastSeenTimeStamp", Offset: 16, Size: 8}, {Name: "sampleCount", Offset: 24, Size: 4}, {Name: "has_samples", Offset: 28, Size: 4}}, Out: []Field{{Name: "sampleValType", Offset: 0, Size: 4}, {Name: "sampleCount", Offset: 4, Size: 4}}, OutData: []Array{{Name: "samples", Element: 16, Count: "sampleCount"}}},
	CallDeviceGetBAR1MemoryInfo:                          {Name: "nvmlDeviceGetBAR1MemoryInfo", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, OutData: []Array{{Name: "bar1Memory", Element: 24, Count: "1"}}},
	CallDeviceGetViolationStatus:                         {Name: "nvmlDeviceGetViolationStatus", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "perfPolicyType", Offset: 8, Size: 4}}, OutData: []Array{{Name: "violTime", Element: 16, Count: "1"}}},
	CallDeviceGetFieldValues:                             {Name: "nvmlDeviceGetFieldValues", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "valuesCount", Offset: 8, Size: 4}}, InData: []Array{{Name: "values", Element: 40, Count: "valuesCount"}}, OutData: []Array{{Name: "values", Element: 40, Count: "valuesCount"}}},
	CallDeviceGetDramEncryptionMode:                      {Name: "nvmlDeviceGetDramEncryptionMode", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "len_current", Offset: 8, Size: 4}, {Name: "len_pending", Offset: 12, Size: 4}}, InData: []Array{{Name: "current", Element: 1, Count: "len_current"}, {Name: "pending", Element: 1, Count: "len_pending"}}, OutData: []Array{{Name: "current", Element: 1, Count: "len_current"}, {Name: "pending", Element: 1, Count: "len_pending"}}},
	CallDeviceSetDramEncryptionMode:                      {Name: "nvmlDeviceSetDramEncryptionMode", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "len_dramEncryption", Offset: 8, Size: 4}}, InData: []Array{{Name: "dramEncryption", Element: 1, Count: "len_dramEncryption"}}},
	CallDeviceGetJpgUtilization:                          {Name: "nvmlDeviceGetJpgUtilization", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "utilization", Offset: 0, Size: 4}, {Name: "samplingPeriodUs", Offset: 4, Size: 4}}},
	CallDeviceGetOfaUtilization:                          {Name: "nvmlDeviceGetOfaUtilization", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "utilization", Offset: 0, Size: 4}, {Name: "samplingPeriodUs", Offset: 4, Size: 4}}},
	CallDeviceClearFieldValues:                           {Name: "nvmlDeviceClearFieldValues", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "valuesCount", Offset: 8, Size: 4}}, InData: []Array{{Name: "values", Element: 40, Count: "valuesCount"}}, OutData: []Array{{Name: "values", Element: 40, Count: "valuesCount"}}},
	CallDeviceGetEncoderStats:                            {Name: "nvmlDeviceGetEncoderStats", InSize: 8, OutSize: 16, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "sessionCount", Offset: 0, Size: 4}, {Name: "averageFps", Offset: 4, Size: 4}, {Name: "averageLatency", Offset: 8, Size: 4}}},
	CallDeviceGetEncoderSessions:                         {Name: "nvmlDeviceGetEncoderSessions", OnError: true, InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "sessionCount", Offset: 8, Size: 4}, {Name: "has_sessionInfos", Offset: 12, Size: 4}}, Out: []Field{{Name: "sessionCount", Offset: 0, Size: 4}}, OutData: []Array{{Name: "sessionInfos", Element: 32, Count: "sessionCount"}}},
	CallDeviceGetFBCStats:                                {Name: "nvmlDeviceGetFBCStats", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, OutData: []Array{{Name: "fbcStats", Element: 12, Count: "1"}}},
	CallDeviceGetFBCSessions:                             {Name: "nvmlDeviceGetFBCSessions", OnError: true, InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "sessionCount", Offset: 8, Size: 4}, {Name: "has_sessionInfo", Offset: 12, Size: 4}}, Out: []Field{{Name: "sessionCount", Offset: 0, Size: 4}}, OutData: []Array{{Name: "sessionInfo", Element: 48, Count: "sessionCount"}}},
	CallDeviceGetComputeRunningProcesses_v3:              {Name: "nvmlDeviceGetComputeRunningProcesses_v3", OnError: true, InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "infoCount", Offset: 8, Size: 4}, {Name: "has_infos", Offset: 12, Size: 4}}, Out: []Field{{Name: "infoCount", Offset: 0, Size: 4}}, OutData: []Array{{Name: "infos", Element: 24, Count: "infoCount"}}},
	CallDeviceGetGraphicsRunningProcesses_v3:             {Name: "nvmlDeviceGetGraphicsRunningProcesses_v3", OnError: true, InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "infoCount", Offset: 8, Size: 4}, {Name: "has_infos", Offset: 12, Size: 4}}, Out: []Field{{Name: "infoCount", Offset: 0, Size: 4}}, OutData: []Array{{Name: "infos", Element: 24, Count: "infoCount"}}},
	CallDeviceGetMPSComputeRunningProcesses_v3:           {Name: "nvmlDeviceGetMPSComputeRunningProcesses_v3", OnError: true, InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "infoCount", Offset: 8, Size: 4}, {Name: "has_infos", Offset: 12, Size: 4}}, Out: []Field{{Name: "infoCount", Offset: 0, Size: 4}}, OutData: []Array{{Name: "infos", Element: 24, Count: "infoCount"}}},
	CallDeviceGetAccountingMode:                          {Name: "nvmlDeviceGetAccountingMode", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "mode", Offset: 0, Size: 4}}},
	CallDeviceGetAccountingStats:                         {Name: "nvmlDeviceGetAccountingStats", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "pid", Offset: 8, Size: 4}}, OutData: []Array{{Name: "stats", Element: 56, Count: "1"}}},
	CallDeviceGetAccountingPids:                          {Name: "nvmlDeviceGetAccountingPids", OnError: true, InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "count", Offset: 8, Size: 4}, {Name: "has_pids", Offset: 12, Size: 4}}, Out: []Field{{Name: "count", Offset: 0, Size: 4}}, OutData: []Array{{Name: "pids", Element: 4, Count: "count"}}},
	CallDeviceGetAccountingBufferSize:                    {Name: "nvmlDeviceGetAccountingBufferSize", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "bufferSize", Offset: 0, Size: 4}}},
	CallDeviceSetAccountingMode:                          {Name: "nvmlDeviceSetAccountingMode", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "mode", Offset: 8, Size: 4}}},
	CallDeviceClearAccountingPids:                        {Name: "nvmlDeviceClearAccountingPids", Root: true, InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}},
	CallDeviceGetProcessUtilization:                      {Name: "nvmlDeviceGetProcessUtilization", OnError: true, InSize: 24, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "has_utilization", Offset: 8, Size: 4}, {Name: "processSamplesCount", Offset: 12, Size: 4}, {Name: "lastSeenTimeStamp", Offset: 16, Size: 8}}, Out: []Field{{Name: "processSamplesCount", Offset: 0, Size: 4}}, OutData: []Array{{Name: "utilization", Element: 32, Count: "processSamplesCount"}}},
	CallDeviceGetComputeRunningProcesses:                 {Name: "nvmlDeviceGetComputeRunningProcesses", OnError: true, InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "infoCount", Offset: 8, Size: 4}, {Name: "has_infos", Offset: 12, Size: 4}}, Out: []Field{{Name: "infoCount", Offset: 0, Size: 4}}, OutData: []Array{{Name: "infos", Element: 16, Count: "infoCount"}}},
	CallDeviceGetComputeRunningProcesses_v2:              {Name: "nvmlDeviceGetComputeRunningProcesses_v2", OnError: true, InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "infoCount", Offset: 8, Size: 4}, {Name: "has_infos", Offset: 12, Size: 4}}, Out: []Field{{Name: "infoCount", Offset: 0, Size: 4}}, OutData: []Array{{Name: "infos", Element: 24, Count: "infoCount"}}},
	CallDeviceGetGraphicsRunningProcesses:                {Name: "nvmlDeviceGetGraphicsRunningProcesses", OnError: true, InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "infoCount", Offset: 8, Size: 4}, {Name: "has_infos", Offset: 12, Size: 4}}, Out: []Field{{Name: "infoCount", Offset: 0, Size: 4}}, OutData: []Array{{Name: "infos", Element: 16, Count: "infoCount"}}},
	CallDeviceGetGraphicsRunningProcesses_v2:             {Name: "nvmlDeviceGetGraphicsRunningProcesses_v2", OnError: true, InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "infoCount", Offset: 8, Size: 4}, {Name: "has_infos", Offset: 12, Size: 4}}, Out: []Field{{Name: "infoCount", Offset: 0, Size: 4}}, OutData: []Array{{Name: "infos", Element: 24, Count: "infoCount"}}},
	CallDeviceGetMPSComputeRunningProcesses:              {Name: "nvmlDeviceGetMPSComputeRunningProcesses", OnError: true, InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "infoCount", Offset: 8, Size: 4}, {Name: "has_infos", Offset: 12, Size: 4}}, Out: []Field{{Name: "infoCount", Offset: 0, Size: 4}}, OutData: []Array{{Name: "infos", Element: 16, Count: "infoCount"}}},
	CallDeviceGetMPSComputeRunningProcesses_v2:           {Name: "nvmlDeviceGetMPSComputeRunningProcesses_v2", OnError: true, InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "infoCount", Offset: 8, Size: 4}, {Name: "has_infos", Offset: 12, Size: 4}}, Out: []Field{{Name: "infoCount", Offset: 0, Size: 4}}, OutData: []Array{{Name: "infos", Element: 24, Count: "infoCount"}}},
	CallDeviceGetClockInfo:                               {Name: "nvmlDeviceGetClockInfo", InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "type", Offset: 8, Size: 4}}, Out: []Field{{Name: "clock", Offset: 0, Size: 4}}},
	CallDeviceGetMaxClockInfo:                            {Name: "nvmlDeviceGetMaxClockInfo", InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "type", Offset: 8, Size: 4}}, Out: []Field{{Name: "clock", Offset: 0, Size: 4}}},
	CallDeviceGetApplicationsClock:                       {Name: "nvmlDeviceGetApplicationsClock", InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "clockType", Offset: 8, Size: 4}}, Out: []Field{{Name: "clockMHz", Offset: 0, Size: 4}}},
	CallDeviceGetDefaultApplicationsClock:                {Name: "nvmlDeviceGetDefaultApplicationsClock", InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "clockType", Offset: 8, Size: 4}}, Out: []Field{{Name: "clockMHz", Offset: 0, Size: 4}}},
	CallDeviceResetApplicationsClocks:                    {Name: "nvmlDeviceResetApplicationsClocks", Root: true, InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}},
	CallDeviceGetClock:                                   {Name: "nvmlDeviceGetClock", InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "clockType", Offset: 8, Size: 4}, {Name: "clockId", Offset: 12, Size: 4}}, Out: []Field{{Name: "clockMHz", Offset: 0, Size: 4}}},
	CallDeviceGetMaxCustomerBoostClock:                   {Name: "nvmlDeviceGetMaxCustomerBoostClock", InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "clockType", Offset: 8, Size: 4}}, Out: []Field{{Name: "clockMHz", Offset: 0, Size: 4}}},
	CallDeviceGetSupportedMemoryClocks:                   {Name: "nvmlDeviceGetSupportedMemoryClocks", OnError: true, InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "count", Offset: 8, Size: 4}, {Name: "has_clocksMHz", Offset: 12, Size: 4}}, Out: []Field{{Name: "count", Offset: 0, Size: 4}}, OutData: []Array{{Name: "clocksMHz", Element: 4, Count: "count"}}},
	CallDeviceGetSupportedGraphicsClocks:                 {Name: "nvmlDeviceGetSupportedGraphicsClocks", OnError: true, InSize: 24, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "memoryClockMHz", Offset: 8, Size: 4}, {Name: "count", Offset: 12, Size: 4}, {Name: "has_clocksMHz", Offset: 16, Size: 4}}, Out: []Field{{Name: "count", Offset: 0, Size: 4}}, OutData: []Array{{Name: "clocksMHz", Element: 4, Count: "count"}}},
	CallDeviceGetAutoBoostedClocksEnabled:                {Name: "nvmlDeviceGetAutoBoostedClocksEnabled", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "isEnabled", Offset: 0, Size: 4}, {Name: "defaultIsEnabled", Offset: 4, Size: 4}}},
	CallDeviceSetAutoBoostedClocksEnabled:                {Name: "nvmlDeviceSetAutoBoostedClocksEnabled", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "enabled", Offset: 8, Size: 4}}},
	CallDeviceSetDefaultAutoBoostedClocksEnabled:         {Name: "nvmlDeviceSetDefaultAutoBoostedClocksEnabled", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "enabled", Offset: 8, Size: 4}, {Name: "flags", Offset: 12, Size: 4}}},
	CallDeviceGetPerformanceState:                        {Name: "nvmlDeviceGetPerformanceState", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "pState", Offset: 0, Size: 4}}},
	CallDeviceGetCurrentClocksThrottleReasons:            {Name: "nvmlDeviceGetCurrentClocksThrottleReasons", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "clocksThrottleReasons", Offset: 0, Size: 8}}},
	CallDeviceGetSupportedClocksThrottleReasons:          {Name: "nvmlDeviceGetSupportedClocksThrottleReasons", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "supportedClocksThrottleReasons", Offset: 0, Size: 8}}},
	CallDeviceGetAdaptiveClockInfoStatus:                 {Name: "nvmlDeviceGetAdaptiveClockInfoStatus", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "adaptiveClockStatus", Offset: 0, Size: 4}}},
	CallDeviceSetGpuLockedClocks:                         {Name: "nvmlDeviceSetGpuLockedClocks", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "minGpuClockMHz", Offset: 8, Size: 4}, {Name: "maxGpuClockMHz", Offset: 12, Size: 4}}},
	CallDeviceResetGpuLockedClocks:                       {Name: "nvmlDeviceResetGpuLockedClocks", Root: true, InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}},
	CallDeviceSetMemoryLockedClocks:                      {Name: "nvmlDeviceSetMemoryLockedClocks", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "minMemClockMHz", Offset: 8, Size: 4}, {Name: "maxMemClockMHz", Offset: 12, Size: 4}}},
	CallDeviceResetMemoryLockedClocks:                    {Name: "nvmlDeviceResetMemoryLockedClocks", Root: true, InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}},
	CallDeviceSetApplicationsClocks:                      {Name: "nvmlDeviceSetApplicationsClocks", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "memClockMHz", Offset: 8, Size: 4}, {Name: "graphicsClockMHz", Offset: 12, Size: 4}}},
	CallDeviceGetClkMonStatus:                            {Name: "nvmlDeviceGetClkMonStatus", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, OutData: []Array{{Name: "status", Element: 264, Count: "1"}}},
	CallDeviceGetDynamicPstatesInfo:                      {Name: "nvmlDeviceGetDynamicPstatesInfo", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, OutData: []Array{{Name: "pDynamicPstatesInfo", Element: 132, Count: "1"}}},
	CallDeviceGetGpcClkVfOffset:                          {Name: "nvmlDeviceGetGpcClkVfOffset", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "offset", Offset: 0, Size: 4}}},
	CallDeviceSetGpcClkVfOffset:                          {Name: "nvmlDeviceSetGpcClkVfOffset", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "offset", Offset: 8, Size: 4}}},
	CallDeviceGetMemClkVfOffset:                          {Name: "nvmlDeviceGetMemClkVfOffset", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "offset", Offset: 0, Size: 4}}},
	CallDeviceSetMemClkVfOffset:                          {Name: "nvmlDeviceSetMemClkVfOffset", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "offset", Offset: 8, Size: 4}}},
	CallDeviceGetMinMaxClockOfPState:                     {Name: "nvmlDeviceGetMinMaxClockOfPState", InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "type", Offset: 8, Size: 4}, {Name: "pstate", Offset: 12, Size: 4}}, Out: []Field{{Name: "minClockMHz", Offset: 0, Size: 4}, {Name: "maxClockMHz", Offset: 4, Size: 4}}},
	CallDeviceGetSupportedPerformanceStates:              {Name: "nvmlDeviceGetSupportedPerformanceStates", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "size", Offset: 8, Size: 4}}, OutData: []Array{{Name: "pstates", Element: 1, Count: "size"}}},
	CallDeviceGetGpcClkMinMaxVfOffset:                    {Name: "nvmlDeviceGetGpcClkMinMaxVfOffset", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "minOffset", Offset: 0, Size: 4}, {Name: "maxOffset", Offset: 4, Size: 4}}},
	CallDeviceGetMemClkMinMaxVfOffset:                    {Name: "nvmlDeviceGetMemClkMinMaxVfOffset", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "minOffset", Offset: 0, Size: 4}, {Name: "maxOffset", Offset: 4, Size: 4}}},
	CallDeviceGetCurrentClocksEventReasons:               {Name: "nvmlDeviceGetCurrentClocksEventReasons", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "clocksEventReasons", Offset: 0, Size: 8}}},
	CallDeviceGetSupportedClocksEventReasons:             {Name: "nvmlDeviceGetSupportedClocksEventReasons", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "supportedClocksEventReasons", Offset: 0, Size: 8}}},
	CallDeviceGetClockOffsets:                            {Name: "nvmlDeviceGetClockOffsets", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "len_info", Offset: 8, Size: 4}}, InData: []Array{{Name: "info", Element: 1, Count: "len_info"}}, OutData: []Array{{Name: "info", Element: 1, Count: "len_info"}}},
	CallDeviceSetClockOffsets:                            {Name: "nvmlDeviceSetClockOffsets", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "len_info", Offset: 8, Size: 4}}, InData: []Array{{Name: "info", Element: 1, Count: "len_info"}}, OutData: []Array{{Name: "info", Element: 1, Count: "len_info"}}},
	CallDeviceGetPerformanceModes:                        {Name: "nvmlDeviceGetPerformanceModes", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "len_perfModes", Offset: 8, Size: 4}}, InData: []Array{{Name: "perfModes", Element: 1, Count: "len_perfModes"}}, OutData: []Array{{Name: "perfModes", Element: 1, Count: "len_perfModes"}}},
	CallDeviceGetCurrentClockFreqs:                       {Name: "nvmlDeviceGetCurrentClockFreqs", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "len_currentClockFreqs", Offset: 8, Size: 4}}, InData: []Array{{Name: "currentClockFreqs", Element: 1, Count: "len_currentClockFreqs"}}, OutData: []Array{{Name: "currentClockFreqs", Element: 1, Count: "len_currentClockFreqs"}}},
	CallDeviceGetPowerState:                              {Name: "nvmlDeviceGetPowerState", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "pState", Offset: 0, Size: 4}}},
	CallDeviceGetPowerManagementMode:                     {Name: "nvmlDeviceGetPowerManagementMode", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "mode", Offset: 0, Size: 4}}},
	CallDeviceGetPowerManagementLimit:                    {Name: "nvmlDeviceGetPowerManagementLimit", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "limit", Offset: 0, Size: 4}}},
	CallDeviceGetPowerManagementLimitConstraints:         {Name: "nvmlDeviceGetPowerManagementLimitConstraints", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "minLimit", Offset: 0, Size: 4}, {Name: "maxLimit", Offset: 4, Size: 4}}},
	CallDeviceGetPowerManagementDefaultLimit:             {Name: "nvmlDeviceGetPowerManagementDefaultLimit", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "defaultLimit", Offset: 0, Size: 4}}},
	CallDeviceGetPowerUsage:                              {Name: "nvmlDeviceGetPowerUsage", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "power", Offset: 0, Size: 4}}},
	CallDeviceGetTotalEnergyConsumption:                  {Name: "nvmlDeviceGetTotalEnergyConsumption", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "energy", Offset: 0, Size: 8}}},
	CallDeviceGetEnforcedPowerLimit:                      {Name: "nvmlDeviceGetEnforcedPowerLimit", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "limit", Offset: 0, Size: 4}}},
	CallDeviceGetGpuOperationMode:                        {Name: "nvmlDeviceGetGpuOperationMode", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "current", Offset: 0, Size: 4}, {Name: "pending", Offset: 4, Size: 4}}},
	CallDeviceGetPowerSource:                             {Name: "nvmlDeviceGetPowerSource", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "powerSource", Offset: 0, Size: 4}}},
	CallDeviceSetPowerManagementLimit:                    {Name: "nvmlDeviceSetPowerManagementLimit", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "limit", Offset: 8, Size: 4}}},
	CallDeviceSetGpuOperationMode:                        {Name: "nvmlDeviceSetGpuOperationMode", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "mode", Offset: 8, Size: 4}}},
	CallDeviceGetPowerMizerMode_v1:                       {Name: "nvmlDeviceGetPowerMizerMode_v1", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, OutData: []Array{{Name: "powerMizerMode", Element: 12, Count: "1"}}},
	CallDeviceSetPowerMizerMode_v1:                       {Name: "nvmlDeviceSetPowerMizerMode_v1", Root: true, InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, InData: []Array{{Name: "powerMizerMode", Element: 12, Count: "1"}}},
	CallDeviceSetPowerManagementLimit_v2:                 {Name: "nvmlDeviceSetPowerManagementLimit_v2", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "len_powerValue", Offset: 8, Size: 4}}, InData: []Array{{Name: "powerValue", Element: 1, Count: "len_powerValue"}}, OutData: []Array{{Name: "powerValue", Element: 1, Count: "len_powerValue"}}},
	CallDeviceWorkloadPowerProfileGetProfilesInfo:        {Name: "nvmlDeviceWorkloadPowerProfileGetProfilesInfo", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "len_profilesInfo", Offset: 8, Size: 4}}, InData: []Array{{Name: "profilesInfo", Element: 1, Count: "len_profilesInfo"}}, OutData: []Array{{Name: "profilesInfo", Element: 1, Count: "len_profilesInfo"}}},
	CallDeviceWorkloadPowerProfileGetCurrentProfiles:     {Name: "nvmlDeviceWorkloadPowerProfileGetCurrentProfiles", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "len_currentProfiles", Offset: 8, Size: 4}}, InData: []Array{{Name: "currentProfiles", Element: 1, Count: "len_currentProfiles"}}, OutData: []Array{{Name: "currentProfiles", Element: 1, Count: "len_currentProfiles"}}},
	CallDeviceWorkloadPowerProfileSetRequestedProfiles:   {Name: "nvmlDeviceWorkloadPowerProfileSetRequestedProfiles", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "len_requestedProfiles", Offset: 8, Size: 4}}, InData: []Array{{Name: "requestedProfiles", Element: 1, Count: "len_requestedProfiles"}}, OutData: []Array{{Name: "requestedProfiles", Element: 1, Count: "len_requestedProfiles"}}},
	CallDeviceWorkloadPowerProfileClearRequestedProfiles: {Name: "nvmlDeviceWorkloadPowerProfileClearRequestedProfiles", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "len_requestedProfiles", Offset: 8, Size: 4}}, InData: []Array{{Name: "requestedProfiles", Element: 1, Count: "len_requestedProfiles"}}, OutData: []Array{{Name: "requestedProfiles", Element: 1, Count: "len_requestedProfiles"}}},
	CallDevicePowerSmoothingActivatePresetProfile:        {Name: "nvmlDevicePowerSmoothingActivatePresetProfile", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "len_profile", Offset: 8, Size: 4}}, InData: []Array{{Name: "profile", Element: 1, Count: "len_profile"}}, OutData: []Array{{Name: "profile", Element: 1, Count: "len_profile"}}},
	CallDevicePowerSmoothingUpdatePresetProfileParam:     {Name: "nvmlDevicePowerSmoothingUpdatePresetProfileParam", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "len_profile", Offset: 8, Size: 4}}, InData: []Array{{Name: "profile", Element: 1, Count: "len_profile"}}, OutData: []Array{{Name: "profile", Element: 1, Count: "len_profile"}}},
	CallDevicePowerSmoothingSetState:                     {Name: "nvmlDevicePowerSmoothingSetState", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "len_state", Offset: 8, Size: 4}}, InData: []Array{{Name: "state", Element: 1, Count: "len_state"}}, OutData: []Array{{Name: "state", Element: 1, Count: "len_state"}}},
	CallDeviceGetFanSpeed:                                {Name: "nvmlDeviceGetFanSpeed", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "speed", Offset: 0, Size: 4}}},
	CallDeviceGetFanSpeed_v2:                             {Name: "nvmlDeviceGetFanSpeed_v2", InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "fan", Offset: 8, Size: 4}}, Out: []Field{{Name: "speed", Offset: 0, Size: 4}}},
	CallDeviceGetTargetFanSpeed:                          {Name: "nvmlDeviceGetTargetFanSpeed", InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "fan", Offset: 8, Size: 4}}, Out: []Field{{Name: "targetSpeed", Offset: 0, Size: 4}}},
	CallDeviceSetDefaultFanSpeed_v2:                      {Name: "nvmlDeviceSetDefaultFanSpeed_v2", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "fan", Offset: 8, Size: 4}}},
	CallDeviceGetMinMaxFanSpeed:                          {Name: "nvmlDeviceGetMinMaxFanSpeed", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "minSpeed", Offset: 0, Size: 4}, {Name: "maxSpeed", Offset: 4, Size: 4}}},
	CallDeviceGetNumFans:                                 {Name: "nvmlDeviceGetNumFans", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "numFans", Offset: 0, Size: 4}}},
	CallDeviceGetTemperature:                             {Name: "nvmlDeviceGetTemperature", InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "sensorType", Offset: 8, Size: 4}}, Out: []Field{{Name: "temp", Offset: 0, Size: 4}}},
	CallDeviceGetTemperatureThreshold:                    {Name: "nvmlDeviceGetTemperatureThreshold", InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "thresholdType", Offset: 8, Size: 4}}, Out: []Field{{Name: "temp", Offset: 0, Size: 4}}},
	CallDeviceSetTemperatureThreshold:                    {Name: "nvmlDeviceSetTemperatureThreshold", Root: true, InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "thresholdType", Offset: 8, Size: 4}, {Name: "temp", Offset: 12, Size: 4}}, Out: []Field{{Name: "temp", Offset: 0, Size: 4}}},
	CallDeviceGetThermalSettings:                         {Name: "nvmlDeviceGetThermalSettings", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "sensorIndex", Offset: 8, Size: 4}}, OutData: []Array{{Name: "pThermalSettings", Element: 64, Count: "1"}}},
	CallDeviceSetFanSpeed_v2:                             {Name: "nvmlDeviceSetFanSpeed_v2", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "fan", Offset: 8, Size: 4}, {Name: "speed", Offset: 12, Size: 4}}},
	CallDeviceGetFanSpeedRPM:                             {Name: "nvmlDeviceGetFanSpeedRPM", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "len_fanSpeed", Offset: 8, Size: 4}}, InData: []Array{{Name: "fanSpeed", Element: 1, Count: "len_fanSpeed"}}, OutData: []Array{{Name: "fanSpeed", Element: 1, Count: "len_fanSpeed"}}},
	CallDeviceGetFanControlPolicy_v2:                     {Name: "nvmlDeviceGetFanControlPolicy_v2", InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "fan", Offset: 8, Size: 4}}, Out: []Field{{Name: "policy", Offset: 0, Size: 4}}},
	CallDeviceSetFanControlPolicy:                        {Name: "nvmlDeviceSetFanControlPolicy", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "fan", Offset: 8, Size: 4}, {Name: "policy", Offset: 12, Size: 4}}},
	CallDeviceGetCoolerInfo:                              {Name: "nvmlDeviceGetCoolerInfo", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "len_coolerInfo", Offset: 8, Size: 4}}, InData: []Array{{Name: "coolerInfo", Element: 1, Count: "len_coolerInfo"}}, OutData: []Array{{Name: "coolerInfo", Element: 1, Count: "len_coolerInfo"}}},
	CallDeviceGetTemperatureV:                            {Name: "nvmlDeviceGetTemperatureV", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "len_temperature", Offset: 8, Size: 4}}, InData: []Array{{Name: "temperature", Element: 1, Count: "len_temperature"}}, OutData: []Array{{Name: "temperature", Element: 1, Count: "len_temperature"}}},
	CallDeviceGetMarginTemperature:                       {Name: "nvmlDeviceGetMarginTemperature", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "len_marginTempInfo", Offset: 8, Size: 4}}, InData: []Array{{Name: "marginTempInfo", Element: 1, Count: "len_marginTempInfo"}}, OutData: []Array{{Name: "marginTempInfo", Element: 1, Count: "len_marginTempInfo"}}},
	CallDeviceGetInforomVersion:                          {Name: "nvmlDeviceGetInforomVersion", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "object", Offset: 8, Size: 4}, {Name: "length", Offset: 12, Size: 4}}, OutData: []Array{{Name: "version", Element: 1, Count: "length"}}},
	CallDeviceGetInforomImageVersion:                     {Name: "nvmlDeviceGetInforomImageVersion", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "length", Offset: 8, Size: 4}}, OutData: []Array{{Name: "version", Element: 1, Count: "length"}}},
	CallDeviceGetInforomConfigurationChecksum:            {Name: "nvmlDeviceGetInforomConfigurationChecksum", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "checksum", Offset: 0, Size: 4}}},
	CallDeviceValidateInforom:                            {Name: "nvmlDeviceValidateInforom", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}},
	CallDeviceGetEccMode:                                 {Name: "nvmlDeviceGetEccMode", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "current", Offset: 0, Size: 4}, {Name: "pending", Offset: 4, Size: 4}}},
	CallDeviceGetDefaultEccMode:                          {Name: "nvmlDeviceGetDefaultEccMode", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "defaultMode", Offset: 0, Size: 4}}},
	CallDeviceGetTotalEccErrors:                          {Name: "nvmlDeviceGetTotalEccErrors", InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "errorType", Offset: 8, Size: 4}, {Name: "counterType", Offset: 12, Size: 4}}, Out: []Field{{Name: "eccCounts", Offset: 0, Size: 8}}},
	CallDeviceGetDetailedEccErrors:                       {Name: "nvmlDeviceGetDetailedEccErrors", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "errorType", Offset: 8, Size: 4}, {Name: "counterType", Offset: 12, Size: 4}}, OutData: []Array{{Name: "eccCounts", Element: 32, Count: "1"}}},
	CallDeviceGetMemoryErrorCounter:                      {Name: "nvmlDeviceGetMemoryErrorCounter", InSize: 24, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "errorType", Offset: 8, Size: 4}, {Name: "counterType", Offset: 12, Size: 4}, {Name: "locationType", Offset: 16, Size: 4}}, Out: []Field{{Name: "count", Offset: 0, Size: 8}}},
	CallDeviceGetRetiredPages:                            {Name: "nvmlDeviceGetRetiredPages", OnError: true, InSize: 24, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "cause", Offset: 8, Size: 4}, {Name: "pageCount", Offset: 12, Size: 4}, {Name: "has_addresses", Offset: 16, Size: 4}}, Out: []Field{{Name: "pageCount", Offset: 0, Size: 4}}, OutData: []Array{{Name: "addresses", Element: 8, Count: "pageCount"}}},
	CallDeviceGetRetiredPages_v2:                         {Name: "nvmlDeviceGetRetiredPages_v2", OnError: true, InSize: 24, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "cause", Offset: 8, Size: 4}, {Name: "pageCount", Offset: 12, Size: 4}, {Name: "has_addresses", Offset: 16, Size: 4}, {Name: "has_timestamps", Offset: 20, Size: 4}}, Out: []Field{{Name: "pageCount", Offset: 0, Size: 4}}, OutData: []Array{{Name: "addresses", Element: 8, Count: "pageCount"}, {Name: "timestamps", Element: 8, Count: "pageCount"}}},
	CallDeviceGetRetiredPagesPendingStatus:               {Name: "nvmlDeviceGetRetiredPagesPendingStatus", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "isPending", Offset: 0, Size: 4}}},
	CallDeviceGetRemappedRows:                            {Name: "nvmlDeviceGetRemappedRows", InSize: 8, OutSize: 16, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "corrRows", Offset: 0, Size: 4}, {Name: "uncRows", Offset: 4, Size: 4}, {Name: "isPending", Offset: 8, Size: 4}, {Name: "failureOccurred", Offset: 12, Size: 4}}},
	CallDeviceGetRemappedRows_v2:                         {Name: "nvmlDeviceGetRemappedRows_v2", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, OutData: []Array{{Name: "info", Element: 24, Count: "1"}}},
	CallDeviceGetRowRemapperHistogram:                    {Name: "nvmlDeviceGetRowRemapperHistogram", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, OutData: []Array{{Name: "values", Element: 20, Count: "1"}}},
	CallDeviceGetUnrepairableMemoryFlag_v1:               {Name: "nvmlDeviceGetUnrepairableMemoryFlag_v1", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, OutData: []Array{{Name: "unrepairableMemoryStatus", Element: 4, Count: "1"}}},
	CallDeviceSetEccMode:                                 {Name: "nvmlDeviceSetEccMode", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "ecc", Offset: 8, Size: 4}}},
	CallDeviceClearEccErrorCounts:                        {Name: "nvmlDeviceClearEccErrorCounts", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "counterType", Offset: 8, Size: 4}}},
	CallDeviceGetRepairStatus:                            {Name: "nvmlDeviceGetRepairStatus", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "len_repairStatus", Offset: 8, Size: 4}}, InData: []Array{{Name: "repairStatus", Element: 1, Count: "len_repairStatus"}}, OutData: []Array{{Name: "repairStatus", Element: 1, Count: "len_repairStatus"}}},
	CallDeviceGetLastBBXFlushTime:                        {Name: "nvmlDeviceGetLastBBXFlushTime", InSize: 8, OutSize: 16, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "timestamp", Offset: 0, Size: 8}, {Name: "durationUs", Offset: 8, Size: 8}}},
	CallDeviceGetSramEccErrorStatus:                      {Name: "nvmlDeviceGetSramEccErrorStatus", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "len_status", Offset: 8, Size: 4}}, InData: []Array{{Name: "status", Element: 1, Count: "len_status"}}, OutData: []Array{{Name: "status", Element: 1, Count: "len_status"}}},
	CallDeviceReadWritePRM_v1:                            {Name: "nvmlDeviceReadWritePRM_v1", Root: true, InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, InData: []Array{{Name: "buffer", Element: 504, Count: "1"}}, OutData: []Array{{Name: "buffer", Element: 504, Count: "1"}}},
	CallDeviceGetPciInfo_v3:                              {Name: "nvmlDeviceGetPciInfo_v3", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, OutData: []Array{{Name: "pci", Element: 68, Count: "1"}}},
	CallDeviceGetMaxPcieLinkGeneration:                   {Name: "nvmlDeviceGetMaxPcieLinkGeneration", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "maxLinkGen", Offset: 0, Size: 4}}},
	CallDeviceGetMaxPcieLinkWidth:                        {Name: "nvmlDeviceGetMaxPcieLinkWidth", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "maxLinkWidth", Offset: 0, Size: 4}}},
	CallDeviceGetCurrPcieLinkGeneration:                  {Name: "nvmlDeviceGetCurrPcieLinkGeneration", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "currLinkGen", Offset: 0, Size: 4}}},
	CallDeviceGetCurrPcieLinkWidth:                       {Name: "nvmlDeviceGetCurrPcieLinkWidth", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "currLinkWidth", Offset: 0, Size: 4}}},
	CallDeviceGetPcieThroughput:                          {Name: "nvmlDeviceGetPcieThroughput", InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "counter", Offset: 8, Size: 4}}, Out: []Field{{Name: "value", Offset: 0, Size: 4}}},
	CallDeviceGetPcieReplayCounter:                       {Name: "nvmlDeviceGetPcieReplayCounter", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "value", Offset: 0, Size: 4}}},
	CallDeviceGetBridgeChipInfo:                          {Name: "nvmlDeviceGetBridgeChipInfo", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, OutData: []Array{{Name: "bridgeHierarchy", Element: 1028, Count: "1"}}},
	CallDeviceGetIrqNum:                                  {Name: "nvmlDeviceGetIrqNum", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "irqNum", Offset: 0, Size: 4}}},
	CallDeviceGetPcieLinkMaxSpeed:                        {Name: "nvmlDeviceGetPcieLinkMaxSpeed", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "maxSpeed", Offset: 0, Size: 4}}},
	CallDeviceGetPcieSpeed:                               {Name: "nvmlDeviceGetPcieSpeed", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "pcieSpeed", Offset: 0, Size: 4}}},
	CallDeviceGetBusType:                                 {Name: "nvmlDeviceGetBusType", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "type", Offset: 0, Size: 4}}},
	CallDeviceGetPciInfo_v2:                              {Name: "nvmlDeviceGetPciInfo_v2", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, OutData: []Array{{Name: "pci", Element: 52, Count: "1"}}},
	CallDeviceGetPciInfo:                                 {Name: "nvmlDeviceGetPciInfo", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, OutData: []Array{{Name: "pci", Element: 52, Count: "1"}}},
	CallDeviceGetPciInfoExt:                              {Name: "nvmlDeviceGetPciInfoExt", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "len_pci", Offset: 8, Size: 4}}, InData: []Array{{Name: "pci", Element: 1, Count: "len_pci"}}, OutData: []Array{{Name: "pci", Element: 1, Count: "len_pci"}}},
	CallDeviceGetGpuMaxPcieLinkGeneration:                {Name: "nvmlDeviceGetGpuMaxPcieLinkGeneration", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "maxLinkGenDevice", Offset: 0, Size: 4}}},
	CallDeviceGetNvLinkState:                             {Name: "nvmlDeviceGetNvLinkState", InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "link", Offset: 8, Size: 4}}, Out: []Field{{Name: "isActive", Offset: 0, Size: 4}}},
	CallDeviceGetNvLinkVersion:                           {Name: "nvmlDeviceGetNvLinkVersion", InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "link", Offset: 8, Size: 4}}, Out: []Field{{Name: "version", Offset: 0, Size: 4}}},
	CallDeviceGetNvLinkCapability:                        {Name: "nvmlDeviceGetNvLinkCapability", InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "link", Offset: 8, Size: 4}, {Name: "capability", Offset: 12, Size: 4}}, Out: []Field{{Name: "capResult", Offset: 0, Size: 4}}},
	CallDeviceGetNvLinkRemotePciInfo_v2:                  {Name: "nvmlDeviceGetNvLinkRemotePciInfo_v2", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "link", Offset: 8, Size: 4}}, OutData: []Array{{Name: "pci", Element: 68, Count: "1"}}},
	CallDeviceGetNvLinkErrorCounter:                      {Name: "nvmlDeviceGetNvLinkErrorCounter", InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "link", Offset: 8, Size: 4}, {Name: "counter", Offset: 12, Size: 4}}, Out: []Field{{Name: "counterValue", Offset: 0, Size: 8}}},
	CallDeviceResetNvLinkErrorCounters:                   {Name: "nvmlDeviceResetNvLinkErrorCounters", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "link", Offset: 8, Size: 4}}},
	CallDeviceSetNvLinkUtilizationControl:                {Name: "nvmlDeviceSetNvLinkUtilizationControl", Root: true, InSize: 24, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "link", Offset: 8, Size: 4}, {Name: "counter", Offset: 12, Size: 4}, {Name: "reset", Offset: 16, Size: 4}}, InData: []Array{{Name: "control", Element: 8, Count: "1"}}},
	CallDeviceGetNvLinkUtilizationControl:                {Name: "nvmlDeviceGetNvLinkUtilizationControl", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "link", Offset: 8, Size: 4}, {Name: "counter", Offset: 12, Size: 4}}, OutData: []Array{{Name: "control", Element: 8, Count: "1"}}},
	CallDeviceGetNvLinkUtilizationCounter:                {Name: "nvmlDeviceGetNvLinkUtilizationCounter", InSize: 16, OutSize: 16, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "link", Offset: 8, Size: 4}, {Name: "counter", Offset: 12, Size: 4}}, Out: []Field{{Name: "rxcounter", Offset: 0, Size: 8}, {Name: "txcounter", Offset: 8, Size: 8}}},
	CallDeviceFreezeNvLinkUtilizationCounter:             {Name: "nvmlDeviceFreezeNvLinkUtilizationCounter", Root: true, InSize: 24, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "link", Offset: 8, Size: 4}, {Name: "counter", Offset: 12, Size: 4}, {Name: "freeze", Offset: 16, Size: 4}}},
	CallDeviceResetNvLinkUtilizationCounter:              {Name: "nvmlDeviceResetNvLinkUtilizationCounter", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "link", Offset: 8, Size: 4}, {Name: "counter", Offset: 12, Size: 4}}},
	CallDeviceGetNvLinkRemoteDeviceType:                  {Name: "nvmlDeviceGetNvLinkRemoteDeviceType", InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "link", Offset: 8, Size: 4}}, Out: []Field{{Name: "pNvLinkDeviceType", Offset: 0, Size: 4}}},
	CallDeviceGetC2cModeInfoV:                            {Name: "nvmlDeviceGetC2cModeInfoV", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, OutData: []Array{{Name: "c2cModeInfo", Element: 4, Count: "1"}}},
	CallDeviceGetGpuFabricInfo:                           {Name: "nvmlDeviceGetGpuFabricInfo", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, OutData: []Array{{Name: "gpuFabricInfo", Element: 28, Count: "1"}}},
	CallDeviceGetGpuFabricInfoV:                          {Name: "nvmlDeviceGetGpuFabricInfoV", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "len_gpuFabricInfo", Offset: 8, Size: 4}}, InData: []Array{{Name: "gpuFabricInfo", Element: 1, Count: "len_gpuFabricInfo"}}, OutData: []Array{{Name: "gpuFabricInfo", Element: 1, Count: "len_gpuFabricInfo"}}},
	CallDeviceSetNvLinkDeviceLowPowerThreshold:           {Name: "nvmlDeviceSetNvLinkDeviceLowPowerThreshold", Root: true, InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, InData: []Array{{Name: "info", Element: 4, Count: "1"}}},
	CallSystemSetNvlinkBwMode:                            {Name: "nvmlSystemSetNvlinkBwMode", Root: true, InSize: 8, OutSize: 0, In: []Field{{Name: "nvlinkBwMode", Offset: 0, Size: 4}}},
	CallSystemGetNvlinkBwMode:                            {Name: "nvmlSystemGetNvlinkBwMode", InSize: 0, OutSize: 8, Out: []Field{{Name: "nvlinkBwMode", Offset: 0, Size: 4}}},
	CallDeviceGetNvlinkSupportedBwModes:                  {Name: "nvmlDeviceGetNvlinkSupportedBwModes", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "len_supportedBwMode", Offset: 8, Size: 4}}, InData: []Array{{Name: "supportedBwMode", Element: 1, Count: "len_supportedBwMode"}}, OutData: []Array{{Name: "supportedBwMode", Element: 1, Count: "len_supportedBwMode"}}},
	CallDeviceGetNvlinkBwMode:                            {Name: "nvmlDeviceGetNvlinkBwMode", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "len_getBwMode", Offset: 8, Size: 4}}, InData: []Array{{Name: "getBwMode", Element: 1, Count: "len_getBwMode"}}, OutData: []Array{{Name: "getBwMode", Element: 1, Count: "len_getBwMode"}}},
	CallDeviceSetNvlinkBwMode:                            {Name: "nvmlDeviceSetNvlinkBwMode", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "len_setBwMode", Offset: 8, Size: 4}}, InData: []Array{{Name: "setBwMode", Element: 1, Count: "len_setBwMode"}}, OutData: []Array{{Name: "setBwMode", Element: 1, Count: "len_setBwMode"}}},
	CallDeviceGetNvLinkInfo:                              {Name: "nvmlDeviceGetNvLinkInfo", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "len_info", Offset: 8, Size: 4}}, InData: []Array{{Name: "info", Element: 1, Count: "len_info"}}, OutData: []Array{{Name: "info", Element: 1, Count: "len_info"}}},
	CallDeviceGetNvLinkRemotePciInfo:                     {Name: "nvmlDeviceGetNvLinkRemotePciInfo", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "link", Offset: 8, Size: 4}}, OutData: []Array{{Name: "pci", Element: 52, Count: "1"}}},
	CallDeviceGetMemoryAffinity:                          {Name: "nvmlDeviceGetMemoryAffinity", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "nodeSetSize", Offset: 8, Size: 4}, {Name: "scope", Offset: 12, Size: 4}}, OutData: []Array{{Name: "nodeSet", Element: 8, Count: "nodeSetSize"}}},
	CallDeviceGetCpuAffinityWithinScope:                  {Name: "nvmlDeviceGetCpuAffinityWithinScope", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "cpuSetSize", Offset: 8, Size: 4}, {Name: "scope", Offset: 12, Size: 4}}, OutData: []Array{{Name: "cpuSet", Element: 8, Count: "cpuSetSize"}}},
	CallDeviceGetCpuAffinity:                             {Name: "nvmlDeviceGetCpuAffinity", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "cpuSetSize", Offset: 8, Size: 4}}, OutData: []Array{{Name: "cpuSet", Element: 8, Count: "cpuSetSize"}}},
	CallDeviceGetTopologyCommonAncestor:                  {Name: "nvmlDeviceGetTopologyCommonAncestor", InSize: 16, OutSize: 8, In: []Field{{Name: "device1", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "device2", Offset: 8, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "pathInfo", Offset: 0, Size: 4}}},
	CallDeviceGetTopologyNearestGpus:                     {Name: "nvmlDeviceGetTopologyNearestGpus", OnError: true, InSize: 24, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "level", Offset: 8, Size: 4}, {Name: "count", Offset: 12, Size: 4}, {Name: "has_deviceArray", Offset: 16, Size: 4}}, Out: []Field{{Name: "count", Offset: 0, Size: 4}}, OutData: []Array{{Name: "deviceArray", Element: 8, Count: "count"}}},
	CallSystemGetTopologyGpuSet:                          {Name: "nvmlSystemGetTopologyGpuSet", OnError: true, InSize: 16, OutSize: 8, In: []Field{{Name: "cpuNumber", Offset: 0, Size: 4}, {Name: "count", Offset: 4, Size: 4}, {Name: "has_deviceArray", Offset: 8, Size: 4}}, Out: []Field{{Name: "count", Offset: 0, Size: 4}}, OutData: []Array{{Name: "deviceArray", Element: 8, Count: "count"}}},
	CallDeviceGetP2PStatus:                               {Name: "nvmlDeviceGetP2PStatus", InSize: 24, OutSize: 8, In: []Field{{Name: "device1", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "device2", Offset: 8, Size: 8, Handle: "nvmlDevice_t"}, {Name: "p2pIndex", Offset: 16, Size: 4}}, Out: []Field{{Name: "p2pStatus", Offset: 0, Size: 4}}},
	CallDeviceOnSameBoard:                                {Name: "nvmlDeviceOnSameBoard", InSize: 16, OutSize: 8, In: []Field{{Name: "device1", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "device2", Offset: 8, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "onSameBoard", Offset: 0, Size: 4}}},
	CallDeviceGetNumaNodeId:                              {Name: "nvmlDeviceGetNumaNodeId", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "node", Offset: 0, Size: 4}}},
	CallDeviceSetMigMode:                                 {Name: "nvmlDeviceSetMigMode", Root: true, InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "mode", Offset: 8, Size: 4}}, Out: []Field{{Name: "activationStatus", Offset: 0, Size: 4}}},
	CallDeviceGetMigMode:                                 {Name: "nvmlDeviceGetMigMode", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "currentMode", Offset: 0, Size: 4}, {Name: "pendingMode", Offset: 4, Size: 4}}},
	CallDeviceGetGpuInstanceProfileInfo:                  {Name: "nvmlDeviceGetGpuInstanceProfileInfo", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "profile", Offset: 8, Size: 4}}, OutData: []Array{{Name: "info", Element: 48, Count: "1"}}},
	CallDeviceGetGpuInstanceProfileInfoV:                 {Name: "nvmlDeviceGetGpuInstanceProfileInfoV", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "profile", Offset: 8, Size: 4}, {Name: "len_info", Offset: 12, Size: 4}}, InData: []Array{{Name: "info", Element: 1, Count: "len_info"}}, OutData: []Array{{Name: "info", Element: 1, Count: "len_info"}}},
	CallDeviceGetGpuInstancePossiblePlacements_v2:        {Name: "nvmlDeviceGetGpuInstancePossiblePlacements_v2", InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "profileId", Offset: 8, Size: 4}, {Name: "has_placements", Offset: 12, Size: 4}}, Out: []Field{{Name: "count", Offset: 0, Size: 4}}, OutData: []Array{{Name: "placements", Element: 8, Count: "32"}}},
	CallDeviceGetGpuInstanceRemainingCapacity:            {Name: "nvmlDeviceGetGpuInstanceRemainingCapacity", InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "profileId", Offset: 8, Size: 4}}, Out: []Field{{Name: "count", Offset: 0, Size: 4}}},
	CallDeviceCreateGpuInstance:                          {Name: "nvmlDeviceCreateGpuInstance", Root: true, InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "profileId", Offset: 8, Size: 4}}, Out: []Field{{Name: "gpuInstance", Offset: 0, Size: 8, Handle: "nvmlGpuInstance_t"}}},
	CallDeviceCreateGpuInstanceWithPlacement:             {Name: "nvmlDeviceCreateGpuInstanceWithPlacement", Root: true, InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "profileId", Offset: 8, Size: 4}}, Out: []Field{{Name: "gpuInstance", Offset: 0, Size: 8, Handle: "nvmlGpuInstance_t"}}, InData: []Array{{Name: "placement", Element: 8, Count: "1"}}},
	CallGpuInstanceDestroy:                               {Name: "nvmlGpuInstanceDestroy", Root: true, InSize: 8, OutSize: 0, In: []Field{{Name: "gpuInstance", Offset: 0, Size: 8, Handle: "nvmlGpuInstance_t"}}},
	CallDeviceGetGpuInstances:                            {Name: "nvmlDeviceGetGpuInstances", InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "profileId", Offset: 8, Size: 4}}, Out: []Field{{Name: "count", Offset: 0, Size: 4}}, OutData: []Array{{Name: "gpuInstances", Element: 8, Count: "32"}}},
	CallDeviceGetGpuInstanceById:                         {Name: "nvmlDeviceGetGpuInstanceById", InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "id", Offset: 8, Size: 4}}, Out: []Field{{Name: "gpuInstance", Offset: 0, Size: 8, Handle: "nvmlGpuInstance_t"}}},
	CallGpuInstanceGetInfo:                               {Name: "nvmlGpuInstanceGetInfo", InSize: 8, OutSize: 0, In: []Field{{Name: "gpuInstance", Offset: 0, Size: 8, Handle: "nvmlGpuInstance_t"}}, OutData: []Array{{Name: "info", Element: 24, Count: "1"}}},
	CallGpuInstanceGetComputeInstanceProfileInfo:         {Name: "nvmlGpuInstanceGetComputeInstanceProfileInfo", InSize: 16, OutSize: 0, In: []Field{{Name: "gpuInstance", Offset: 0, Size: 8, Handle: "nvmlGpuInstance_t"}, {Name: "profile", Offset: 8, Size: 4}, {Name: "engProfile", Offset: 12, Size: 4}}, OutData: []Array{{Name: "info", Element: 36, Count: "1"}}},
	CallGpuInstanceGetComputeInstanceProfileInfoV:        {Name: "nvmlGpuInstanceGetComputeInstanceProfileInfoV", InSize: 24, OutSize: 0, In: []Field{{Name: "gpuInstance", Offset: 0, Size: 8, Handle: "nvmlGpuInstance_t"}, {Name: "profile", Offset: 8, Size: 4}, {Name: "engProfile", Offset: 12, Size: 4}, {Name: "len_info", Offset: 16, Size: 4}}, InData: []Array{{Name: "info", Element: 1, Count: "len_info"}}, OutData: []Array{{Name: "info", Element: 1, Count: "len_info"}}},
	CallGpuInstanceGetComputeInstanceRemainingCapacity:   {Name: "nvmlGpuInstanceGetComputeInstanceRemainingCapacity", InSize: 16, OutSize: 8, In: []Field{{Name: "gpuInstance", Offset: 0, Size: 8, Handle: "nvmlGpuInstance_t"}, {Name: "profileId", Offset: 8, Size: 4}}, Out: []Field{{Name: "count", Offset: 0, Size: 4}}},
	CallGpuInstanceCreateComputeInstance:                 {Name: "nvmlGpuInstanceCreateComputeInstance", Root: true, InSize: 16, OutSize: 8, In: []Field{{Name: "gpuInstance", Offset: 0, Size: 8, Handle: "nvmlGpuInstance_t"}, {Name: "profileId", Offset: 8, Size: 4}}, Out: []Field{{Name: "computeInstance", Offset: 0, Size: 8, Handle: "nvmlComputeInstance_t"}}},
	CallComputeInstanceDestroy:                           {Name: "nvmlComputeInstanceDestroy", Root: true, InSize: 8, OutSize: 0, In: []Field{{Name: "computeInstance", Offset: 0, Size: 8, Handle: "nvmlComputeInstance_t"}}},
	CallGpuInstanceGetComputeInstances:                   {Name: "nvmlGpuInstanceGetComputeInstances", InSize: 16, OutSize: 8, In: []Field{{Name: "gpuInstance", Offset: 0, Size: 8, Handle: "nvmlGpuInstance_t"}, {Name: "profileId", Offset: 8, Size: 4}}, Out: []Field{{Name: "count", Offset: 0, Size: 4}}, OutData: []Array{{Name: "computeInstances", Element: 8, Count: "32"}}},
	CallGpuInstanceGetComputeInstanceById:                {Name: "nvmlGpuInstanceGetComputeInstanceById", InSize: 16, OutSize: 8, In: []Field{{Name: "gpuInstance", Offset: 0, Size: 8, Handle: "nvmlGpuInstance_t"}, {Name: "id", Offset: 8, Size: 4}}, Out: []Field{{Name: "computeInstance", Offset: 0, Size: 8, Handle: "nvmlComputeInstance_t"}}},
	CallComputeInstanceGetInfo_v2:                        {Name: "nvmlComputeInstanceGetInfo_v2", InSize: 8, OutSize: 0, In: []Field{{Name: "computeInstance", Offset: 0, Size: 8, Handle: "nvmlComputeInstance_t"}}, OutData: []Array{{Name: "info", Element: 32, Count: "1"}}},
	CallComputeInstanceGetInfo:                           {Name: "nvmlComputeInstanceGetInfo", InSize: 8, OutSize: 0, In: []Field{{Name: "computeInstance", Offset: 0, Size: 8, Handle: "nvmlComputeInstance_t"}}, OutData: []Array{{Name: "info", Element: 32, Count: "1"}}},
	CallDeviceIsMigDeviceHandle:                          {Name: "nvmlDeviceIsMigDeviceHandle", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "isMigDevice", Offset: 0, Size: 4}}},
	CallDeviceGetGpuInstanceId:                           {Name: "nvmlDeviceGetGpuInstanceId", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "id", Offset: 0, Size: 4}}},
	CallDeviceGetComputeInstanceId:                       {Name: "nvmlDeviceGetComputeInstanceId", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "id", Offset: 0, Size: 4}}},
	CallDeviceGetMaxMigDeviceCount:                       {Name: "nvmlDeviceGetMaxMigDeviceCount", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "count", Offset: 0, Size: 4}}},
	CallDeviceGetMigDeviceHandleByIndex:                  {Name: "nvmlDeviceGetMigDeviceHandleByIndex", InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "index", Offset: 8, Size: 4}}, Out: []Field{{Name: "migDevice", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}},
	CallDeviceGetDeviceHandleFromMigDeviceHandle:         {Name: "nvmlDeviceGetDeviceHandleFromMigDeviceHandle", InSize: 8, OutSize: 8, In: []Field{{Name: "migDevice", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}},
	CallDeviceGetGpuInstancePossiblePlacements:           {Name: "nvmlDeviceGetGpuInstancePossiblePlacements", InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "profileId", Offset: 8, Size: 4}, {Name: "has_placements", Offset: 12, Size: 4}}, Out: []Field{{Name: "count", Offset: 0, Size: 4}}, OutData: []Array{{Name: "placements", Element: 8, Count: "32"}}},
	CallDeviceGetGpuInstanceProfileInfoByIdV:             {Name: "nvmlDeviceGetGpuInstanceProfileInfoByIdV", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "profileId", Offset: 8, Size: 4}, {Name: "len_info", Offset: 12, Size: 4}}, InData: []Array{{Name: "info", Element: 1, Count: "len_info"}}, OutData: []Array{{Name: "info", Element: 1, Count: "len_info"}}},
	CallGpuInstanceCreateComputeInstanceWithPlacement:    {Name: "nvmlGpuInstanceCreateComputeInstanceWithPlacement", Root: true, InSize: 16, OutSize: 8, In: []Field{{Name: "gpuInstance", Offset: 0, Size: 8, Handle: "nvmlGpuInstance_t"}, {Name: "profileId", Offset: 8, Size: 4}}, Out: []Field{{Name: "computeInstance", Offset: 0, Size: 8, Handle: "nvmlComputeInstance_t"}}, InData: []Array{{Name: "placement", Element: 8, Count: "1"}}},
	CallGpmMigSampleGet:                                  {Name: "nvmlGpmMigSampleGet", InSize: 24, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "gpuInstanceId", Offset: 8, Size: 4}, {Name: "gpmSample", Offset: 16, Size: 8, Handle: "nvmlGpmSample_t"}}},
	CallGpuInstanceGetComputeInstancePossiblePlacements:  {Name: "nvmlGpuInstanceGetComputeInstancePossiblePlacements", InSize: 16, OutSize: 8, In: []Field{{Name: "gpuInstance", Offset: 0, Size: 8, Handle: "nvmlGpuInstance_t"}, {Name: "profileId", Offset: 8, Size: 4}, {Name: "has_placements", Offset: 12, Size: 4}}, Out: []Field{{Name: "count", Offset: 0, Size: 4}}, OutData: []Array{{Name: "placements", Element: 8, Count: "32"}}},
	CallUnitGetCount:                                     {Name: "nvmlUnitGetCount", InSize: 0, OutSize: 8, Out: []Field{{Name: "unitCount", Offset: 0, Size: 4}}},
	CallUnitGetHandleByIndex:                             {Name: "nvmlUnitGetHandleByIndex", InSize: 8, OutSize: 8, In: []Field{{Name: "index", Offset: 0, Size: 4}}, Out: []Field{{Name: "unit", Offset: 0, Size: 8, Handle: "nvmlUnit_t"}}},
	CallUnitGetUnitInfo:                                  {Name: "nvmlUnitGetUnitInfo", InSize: 8, OutSize: 0, In: []Field{{Name: "unit", Offset: 0, Size: 8, Handle: "nvmlUnit_t"}}, OutData: []Array{{Name: "info", Element: 384, Count: "1"}}},
	CallUnitGetLedState:                                  {Name: "nvmlUnitGetLedState", InSize: 8, OutSize: 0, In: []Field{{Name: "unit", Offset: 0, Size: 8, Handle: "nvmlUnit_t"}}, OutData: []Array{{Name: "state", Element: 260, Count: "1"}}},
	CallUnitGetPsuInfo:                                   {Name: "nvmlUnitGetPsuInfo", InSize: 8, OutSize: 0, In: []Field{{Name: "unit", Offset: 0, Size: 8, Handle: "nvmlUnit_t"}}, OutData: []Array{{Name: "psu", Element: 268, Count: "1"}}},
	CallUnitGetTemperature:                               {Name: "nvmlUnitGetTemperature", InSize: 16, OutSize: 8, In: []Field{{Name: "unit", Offset: 0, Size: 8, Handle: "nvmlUnit_t"}, {Name: "type", Offset: 8, Size: 4}}, Out: []Field{{Name: "temp", Offset: 0, Size: 4}}},
	CallUnitGetFanSpeedInfo:                              {Name: "nvmlUnitGetFanSpeedInfo", InSize: 8, OutSize: 0, In: []Field{{Name: "unit", Offset: 0, Size: 8, Handle: "nvmlUnit_t"}}, OutData: []Array{{Name: "fanSpeeds", Element: 196, Count: "1"}}},
	CallUnitGetDevices:                                   {Name: "nvmlUnitGetDevices", OnError: true, InSize: 16, OutSize: 8, In: []Field{{Name: "unit", Offset: 0, Size: 8, Handle: "nvmlUnit_t"}, {Name: "deviceCount", Offset: 8, Size: 4}, {Name: "has_devices", Offset: 12, Size: 4}}, Out: []Field{{Name: "deviceCount", Offset: 0, Size: 4}}, OutData: []Array{{Name: "devices", Element: 8, Count: "deviceCount"}}},
	CallSystemGetHicVersion:                              {Name: "nvmlSystemGetHicVersion", OnError: true, InSize: 8, OutSize: 8, In: []Field{{Name: "hwbcCount", Offset: 0, Size: 4}, {Name: "has_hwbcEntries", Offset: 4, Size: 4}}, Out: []Field{{Name: "hwbcCount", Offset: 0, Size: 4}}, OutData: []Array{{Name: "hwbcEntries", Element: 36, Count: "hwbcCount"}}},
	CallUnitSetLedState:                                  {Name: "nvmlUnitSetLedState", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "unit", Offset: 0, Size: 8, Handle: "nvmlUnit_t"}, {Name: "color", Offset: 8, Size: 4}}},
	CallEventSetCreate:                                   {Name: "nvmlEventSetCreate", InSize: 0, OutSize: 8, Out: []Field{{Name: "set", Offset: 0, Size: 8, Handle: "nvmlEventSet_t"}}},
	CallDeviceRegisterEvents:                             {Name: "nvmlDeviceRegisterEvents", InSize: 24, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "eventTypes", Offset: 8, Size: 8}, {Name: "set", Offset: 16, Size: 8, Handle: "nvmlEventSet_t"}}},
	CallDeviceGetSupportedEventTypes:                     {Name: "nvmlDeviceGetSupportedEventTypes", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "eventTypes", Offset: 0, Size: 8}}},
	CallEventSetWait_v2:                                  {Name: "nvmlEventSetWait_v2", InSize: 16, OutSize: 0, In: []Field{{Name: "set", Offset: 0, Size: 8, Handle: "nvmlEventSet_t"}, {Name: "timeoutms", Offset: 8, Size: 4}}, OutData: []Array{{Name: "data", Element: 32, Count: "1"}}},
	CallEventSetFree:                                     {Name: "nvmlEventSetFree", InSize: 8, OutSize: 0, In: []Field{{Name: "set", Offset: 0, Size: 8, Handle: "nvmlEventSet_t"}}},
	CallEventSetWait:                                     {Name: "nvmlEventSetWait", InSize: 16, OutSize: 0, In: []Field{{Name: "set", Offset: 0, Size: 8, Handle: "nvmlEventSet_t"}, {Name: "timeoutms", Offset: 8, Size: 4}}, OutData: []Array{{Name: "data", Element: 24, Count: "1"}}},
	CallGpmSampleFree:                                    {Name: "nvmlGpmSampleFree", InSize: 8, OutSize: 0, In: []Field{{Name: "gpmSample", Offset: 0, Size: 8, Handle: "nvmlGpmSample_t"}}},
	CallGpmSampleAlloc:                                   {Name: "nvmlGpmSampleAlloc", InSize: 0, OutSize: 8, Out: []Field{{Name: "gpmSample", Offset: 0, Size: 8, Handle: "nvmlGpmSample_t"}}},
	CallGpmSampleGet:                                     {Name: "nvmlGpmSampleGet", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "gpmSample", Offset: 8, Size: 8, Handle: "nvmlGpmSample_t"}}},
	CallGpmQueryDeviceSupport:                            {Name: "nvmlGpmQueryDeviceSupport", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, InData: []Array{{Name: "gpmSupport", Element: 8, Count: "1"}}, OutData: []Array{{Name: "gpmSupport", Element: 8, Count: "1"}}},
	CallGpmQueryIfStreamingEnabled:                       {Name: "nvmlGpmQueryIfStreamingEnabled", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "state", Offset: 0, Size: 4}}},
	CallGpmSetStreamingEnabled:                           {Name: "nvmlGpmSetStreamingEnabled", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "state", Offset: 8, Size: 4}}},
	CallDeviceModifyDrainState:                           {Name: "nvmlDeviceModifyDrainState", Root: true, InSize: 8, OutSize: 0, In: []Field{{Name: "newState", Offset: 0, Size: 4}}, InData: []Array{{Name: "pciInfo", Element: 68, Count: "1"}}},
	CallDeviceQueryDrainState:                            {Name: "nvmlDeviceQueryDrainState", InSize: 0, OutSize: 8, Out: []Field{{Name: "currentState", Offset: 0, Size: 4}}, InData: []Array{{Name: "pciInfo", Element: 68, Count: "1"}}},
	CallDeviceRemoveGpu_v2:                               {Name: "nvmlDeviceRemoveGpu_v2", Root: true, InSize: 8, OutSize: 0, In: []Field{{Name: "gpuState", Offset: 0, Size: 4}, {Name: "linkState", Offset: 4, Size: 4}}, InData: []Array{{Name: "pciInfo", Element: 68, Count: "1"}}},
	CallDeviceDiscoverGpus:                               {Name: "nvmlDeviceDiscoverGpus", Root: true, InSize: 0, OutSize: 0, InData: []Array{{Name: "pciInfo", Element: 68, Count: "1"}}},
	CallGetExcludedDeviceCount:                           {Name: "nvmlGetExcludedDeviceCount", InSize: 0, OutSize: 8, Out: []Field{{Name: "deviceCount", Offset: 0, Size: 4}}},
	CallGetBlacklistDeviceCount:                          {Name: "nvmlGetBlacklistDeviceCount", InSize: 0, OutSize: 8, Out: []Field{{Name: "deviceCount", Offset: 0, Size: 4}}},
	CallGetExcludedDeviceInfoByIndex:                     {Name: "nvmlGetExcludedDeviceInfoByIndex", InSize: 8, OutSize: 0, In: []Field{{Name: "index", Offset: 0, Size: 4}}, OutData: []Array{{Name: "info", Element: 148, Count: "1"}}},
	CallGetBlacklistDeviceInfoByIndex:                    {Name: "nvmlGetBlacklistDeviceInfoByIndex", InSize: 8, OutSize: 0, In: []Field{{Name: "index", Offset: 0, Size: 4}}, OutData: []Array{{Name: "info", Element: 148, Count: "1"}}},
	CallDeviceRemoveGpu:                                  {Name: "nvmlDeviceRemoveGpu", Root: true, InSize: 0, OutSize: 0, InData: []Array{{Name: "pciInfo", Element: 68, Count: "1"}}},
	CallSystemGetConfComputeCapabilities:                 {Name: "nvmlSystemGetConfComputeCapabilities", InSize: 0, OutSize: 0, OutData: []Array{{Name: "capabilities", Element: 8, Count: "1"}}},
	CallSystemGetConfComputeState:                        {Name: "nvmlSystemGetConfComputeState", InSize: 0, OutSize: 0, OutData: []Array{{Name: "state", Element: 12, Count: "1"}}},
	CallDeviceGetConfComputeMemSizeInfo:                  {Name: "nvmlDeviceGetConfComputeMemSizeInfo", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, OutData: []Array{{Name: "memInfo", Element: 16, Count: "1"}}},
	CallSystemGetConfComputeGpusReadyState:               {Name: "nvmlSystemGetConfComputeGpusReadyState", InSize: 0, OutSize: 8, Out: []Field{{Name: "isAcceptingWork", Offset: 0, Size: 4}}},
	CallDeviceGetConfComputeProtectedMemoryUsage:         {Name: "nvmlDeviceGetConfComputeProtectedMemoryUsage", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, OutData: []Array{{Name: "memory", Element: 24, Count: "1"}}},
	CallDeviceGetConfComputeGpuCertificate:               {Name: "nvmlDeviceGetConfComputeGpuCertificate", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, OutData: []Array{{Name: "gpuCert", Element: 9224, Count: "1"}}},
	CallDeviceGetConfComputeGpuAttestationReport:         {Name: "nvmlDeviceGetConfComputeGpuAttestationReport", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, InData: []Array{{Name: "gpuAtstReport", Element: 12332, Count: "1"}}, OutData: []Array{{Name: "gpuAtstReport", Element: 12332, Count: "1"}}},
	CallSystemGetConfComputeKeyRotationThresholdInfo:     {Name: "nvmlSystemGetConfComputeKeyRotationThresholdInfo", InSize: 8, OutSize: 0, In: []Field{{Name: "len_pKeyRotationThrInfo", Offset: 0, Size: 4}}, InData: []Array{{Name: "pKeyRotationThrInfo", Element: 1, Count: "len_pKeyRotationThrInfo"}}, OutData: []Array{{Name: "pKeyRotationThrInfo", Element: 1, Count: "len_pKeyRotationThrInfo"}}},
	CallDeviceSetConfComputeUnprotectedMemSize:           {Name: "nvmlDeviceSetConfComputeUnprotectedMemSize", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "sizeKiB", Offset: 8, Size: 8}}},
	CallSystemSetConfComputeGpusReadyState:               {Name: "nvmlSystemSetConfComputeGpusReadyState", Root: true, InSize: 8, OutSize: 0, In: []Field{{Name: "isAcceptingWork", Offset: 0, Size: 4}}},
	CallSystemSetConfComputeKeyRotationThresholdInfo:     {Name: "nvmlSystemSetConfComputeKeyRotationThresholdInfo", Root: true, InSize: 8, OutSize: 0, In: []Field{{Name: "len_pKeyRotationThrInfo", Offset: 0, Size: 4}}, InData: []Array{{Name: "pKeyRotationThrInfo", Element: 1, Count: "len_pKeyRotationThrInfo"}}, OutData: []Array{{Name: "pKeyRotationThrInfo", Element: 1, Count: "len_pKeyRotationThrInfo"}}},
	CallSystemGetConfComputeSettings:                     {Name: "nvmlSystemGetConfComputeSettings", InSize: 8, OutSize: 0, In: []Field{{Name: "len_settings", Offset: 0, Size: 4}}, InData: []Array{{Name: "settings", Element: 1, Count: "len_settings"}}, OutData: []Array{{Name: "settings", Element: 1, Count: "len_settings"}}},
	CallVgpuInstanceGetMdevUUID:                          {Name: "nvmlVgpuInstanceGetMdevUUID", InSize: 8, OutSize: 0, In: []Field{{Name: "vgpuInstance", Offset: 0, Size: 4}, {Name: "size", Offset: 4, Size: 4}}, OutData: []Array{{Name: "mdevUuid", Element: 1, Count: "size"}}},
	CallDeviceGetVirtualizationMode:                      {Name: "nvmlDeviceGetVirtualizationMode", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "pVirtualMode", Offset: 0, Size: 4}}},
	CallDeviceGetHostVgpuMode:                            {Name: "nvmlDeviceGetHostVgpuMode", InSize: 8, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, Out: []Field{{Name: "pHostVgpuMode", Offset: 0, Size: 4}}},
	CallDeviceSetVirtualizationMode:                      {Name: "nvmlDeviceSetVirtualizationMode", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "virtualMode", Offset: 8, Size: 4}}},
	CallDeviceGetGridLicensableFeatures_v4:               {Name: "nvmlDeviceGetGridLicensableFeatures_v4", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, OutData: []Array{{Name: "pGridLicensableFeatures", Element: 860, Count: "1"}}},
	CallDeviceGetSupportedVgpus:                          {Name: "nvmlDeviceGetSupportedVgpus", OnError: true, InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "vgpuCount", Offset: 8, Size: 4}, {Name: "has_vgpuTypeIds", Offset: 12, Size: 4}}, Out: []Field{{Name: "vgpuCount", Offset: 0, Size: 4}}, OutData: []Array{{Name: "vgpuTypeIds", Element: 4, Count: "vgpuCount"}}},
	CallDeviceGetCreatableVgpus:                          {Name: "nvmlDeviceGetCreatableVgpus", OnError: true, InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "vgpuCount", Offset: 8, Size: 4}, {Name: "has_vgpuTypeIds", Offset: 12, Size: 4}}, Out: []Field{{Name: "vgpuCount", Offset: 0, Size: 4}}, OutData: []Array{{Name: "vgpuTypeIds", Element: 4, Count: "vgpuCount"}}},
	CallVgpuTypeGetClass:                                 {Name: "nvmlVgpuTypeGetClass", OnError: true, InSize: 16, OutSize: 8, In: []Field{{Name: "vgpuTypeId", Offset: 0, Size: 4}, {Name: "has_vgpuTypeClass", Offset: 4, Size: 4}, {Name: "size", Offset: 8, Size: 4}}, Out: []Field{{Name: "size", Offset: 0, Size: 4}}, OutData: []Array{{Name: "vgpuTypeClass", Element: 1, Count: "size"}}},
	CallVgpuTypeGetName:                                  {Name: "nvmlVgpuTypeGetName", OnError: true, InSize: 16, OutSize: 8, In: []Field{{Name: "vgpuTypeId", Offset: 0, Size: 4}, {Name: "has_vgpuTypeName", Offset: 4, Size: 4}, {Name: "size", Offset: 8, Size: 4}}, Out: []Field{{Name: "size", Offset: 0, Size: 4}}, OutData: []Array{{Name: "vgpuTypeName", Element: 1, Count: "size"}}},
	CallVgpuTypeGetGpuInstanceProfileId:                  {Name: "nvmlVgpuTypeGetGpuInstanceProfileId", InSize: 8, OutSize: 8, In: []Field{{Name: "vgpuTypeId", Offset: 0, Size: 4}}, Out: []Field{{Name: "gpuInstanceProfileId", Offset: 0, Size: 4}}},
	CallVgpuTypeGetDeviceID:                              {Name: "nvmlVgpuTypeGetDeviceID", InSize: 8, OutSize: 16, In: []Field{{Name: "vgpuTypeId", Offset: 0, Size: 4}}, Out: []Field{{Name: "deviceID", Offset: 0, Size: 8}, {Name: "subsystemID", Offset: 8, Size: 8}}},
	CallVgpuTypeGetFramebufferSize:                       {Name: "nvmlVgpuTypeGetFramebufferSize", InSize: 8, OutSize: 8, In: []Field{{Name: "vgpuTypeId", Offset: 0, Size: 4}}, Out: []Field{{Name: "fbSize", Offset: 0, Size: 8}}},
	CallVgpuTypeGetNumDisplayHeads:                       {Name: "nvmlVgpuTypeGetNumDisplayHeads", InSize: 8, OutSize: 8, In: []Field{{Name: "vgpuTypeId", Offset: 0, Size: 4}}, Out: []Field{{Name: "numDisplayHeads", Offset: 0, Size: 4}}},
	CallVgpuTypeGetResolution:                            {Name: "nvmlVgpuTypeGetResolution", InSize: 8, OutSize: 8, In: []Field{{Name: "vgpuTypeId", Offset: 0, Size: 4}, {Name: "displayIndex", Offset: 4, Size: 4}}, Out: []Field{{Name: "xdim", Offset: 0, Size: 4}, {Name: "ydim", Offset: 4, Size: 4}}},
	CallVgpuTypeGetLicense:                               {Name: "nvmlVgpuTypeGetLicense", InSize: 8, OutSize: 0, In: []Field{{Name: "vgpuTypeId", Offset: 0, Size: 4}, {Name: "size", Offset: 4, Size: 4}}, OutData: []Array{{Name: "vgpuTypeLicenseString", Element: 1, Count: "size"}}},
	CallVgpuTypeGetFrameRateLimit:                        {Name: "nvmlVgpuTypeGetFrameRateLimit", InSize: 8, OutSize: 8, In: []Field{{Name: "vgpuTypeId", Offset: 0, Size: 4}}, Out: []Field{{Name: "frameRateLimit", Offset: 0, Size: 4}}},
	CallVgpuTypeGetMaxInstances:                          {Name: "nvmlVgpuTypeGetMaxInstances", InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "vgpuTypeId", Offset: 8, Size: 4}}, Out: []Field{{Name: "vgpuInstanceCount", Offset: 0, Size: 4}}},
	CallVgpuTypeGetMaxInstancesPerVm:                     {Name: "nvmlVgpuTypeGetMaxInstancesPerVm", InSize: 8, OutSize: 8, In: []Field{{Name: "vgpuTypeId", Offset: 0, Size: 4}}, Out: []Field{{Name: "vgpuInstanceCountPerVm", Offset: 0, Size: 4}}},
	CallDeviceGetActiveVgpus:                             {Name: "nvmlDeviceGetActiveVgpus", OnError: true, InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "vgpuCount", Offset: 8, Size: 4}, {Name: "has_vgpuInstances", Offset: 12, Size: 4}}, Out: []Field{{Name: "vgpuCount", Offset: 0, Size: 4}}, OutData: []Array{{Name: "vgpuInstances", Element: 4, Count: "vgpuCount"}}},
	CallVgpuInstanceGetVmID:                              {Name: "nvmlVgpuInstanceGetVmID", InSize: 8, OutSize: 8, In: []Field{{Name: "vgpuInstance", Offset: 0, Size: 4}, {Name: "size", Offset: 4, Size: 4}}, Out: []Field{{Name: "vmIdType", Offset: 0, Size: 4}}, OutData: []Array{{Name: "vmId", Element: 1, Count: "size"}}},
	CallVgpuInstanceGetUUID:                              {Name: "nvmlVgpuInstanceGetUUID", InSize: 8, OutSize: 0, In: []Field{{Name: "vgpuInstance", Offset: 0, Size: 4}, {Name: "size", Offset: 4, Size: 4}}, OutData: []Array{{Name: "uuid", Element: 1, Count: "size"}}},
	CallVgpuInstanceGetVmDriverVersion:                   {Name: "nvmlVgpuInstanceGetVmDriverVersion", InSize: 8, OutSize: 0, In: []Field{{Name: "vgpuInstance", Offset: 0, Size: 4}, {Name: "length", Offset: 4, Size: 4}}, OutData: []Array{{Name: "version", Element: 1, Count: "length"}}},
	CallVgpuInstanceGetFbUsage:                           {Name: "nvmlVgpuInstanceGetFbUsage", InSize: 8, OutSize: 8, In: []Field{{Name: "vgpuInstance", Offset: 0, Size: 4}}, Out: []Field{{Name: "fbUsage", Offset: 0, Size: 8}}},
	CallVgpuInstanceGetLicenseStatus:                     {Name: "nvmlVgpuInstanceGetLicenseStatus", InSize: 8, OutSize: 8, In: []Field{{Name: "vgpuInstance", Offset: 0, Size: 4}}, Out: []Field{{Name: "licensed", Offset: 0, Size: 4}}},
	CallVgpuInstanceGetType:                              {Name: "nvmlVgpuInstanceGetType", InSize: 8, OutSize: 8, In: []Field{{Name: "vgpuInstance", Offset: 0, Size: 4}}, Out: []Field{{Name: "vgpuTypeId", Offset: 0, Size: 4}}},
	CallVgpuInstanceGetFrameRateLimit:                    {Name: "nvmlVgpuInstanceGetFrameRateLimit", InSize: 8, OutSize: 8, In: []Field{{Name: "vgpuInstance", Offset: 0, Size: 4}}, Out: []Field{{Name: "frameRateLimit", Offset: 0, Size: 4}}},
	CallVgpuInstanceGetEccMode:                           {Name: "nvmlVgpuInstanceGetEccMode", InSize: 8, OutSize: 8, In: []Field{{Name: "vgpuInstance", Offset: 0, Size: 4}}, Out: []Field{{Name: "eccMode", Offset: 0, Size: 4}}},
	CallVgpuInstanceGetEncoderCapacity:                   {Name: "nvmlVgpuInstanceGetEncoderCapacity", InSize: 8, OutSize: 8, In: []Field{{Name: "vgpuInstance", Offset: 0, Size: 4}}, Out: []Field{{Name: "encoderCapacity", Offset: 0, Size: 4}}},
	CallVgpuInstanceSetEncoderCapacity:                   {Name: "nvmlVgpuInstanceSetEncoderCapacity", Root: true, InSize: 8, OutSize: 0, In: []Field{{Name: "vgpuInstance", Offset: 0, Size: 4}, {Name: "encoderCapacity", Offset: 4, Size: 4}}},
	CallVgpuInstanceGetEncoderStats:                      {Name: "nvmlVgpuInstanceGetEncoderStats", InSize: 8, OutSize: 16, In: []Field{{Name: "vgpuInstance", Offset: 0, Size: 4}}, Out: []Field{{Name: "sessionCount", Offset: 0, Size: 4}, {Name: "averageFps", Offset: 4, Size: 4}, {Name: "averageLatency", Offset: 8, Size: 4}}},
	CallVgpuInstanceGetEncoderSessions:                   {Name: "nvmlVgpuInstanceGetEncoderSessions", OnError: true, InSize: 16, OutSize: 8, In: []Field{{Name: "vgpuInstance", Offset: 0, Size: 4}, {Name: "sessionCount", Offset: 4, Size: 4}, {Name: "has_sessionInfo", Offset: 8, Size: 4}}, Out: []Field{{Name: "sessionCount", Offset: 0, Size: 4}}, OutData: []Array{{Name: "sessionInfo", Element: 32, Count: "sessionCount"}}},
	CallVgpuInstanceGetFBCStats:                          {Name: "nvmlVgpuInstanceGetFBCStats", InSize: 8, OutSize: 0, In: []Field{{Name: "vgpuInstance", Offset: 0, Size: 4}}, OutData: []Array{{Name: "fbcStats", Element: 12, Count: "1"}}},
	CallVgpuInstanceGetFBCSessions:                       {Name: "nvmlVgpuInstanceGetFBCSessions", OnError: true, InSize: 16, OutSize: 8, In: []Field{{Name: "vgpuInstance", Offset: 0, Size: 4}, {Name: "sessionCount", Offset: 4, Size: 4}, {Name: "has_sessionInfo", Offset: 8, Size: 4}}, Out: []Field{{Name: "sessionCount", Offset: 0, Size: 4}}, OutData: []Array{{Name: "sessionInfo", Element: 48, Count: "sessionCount"}}},
	CallVgpuInstanceGetGpuInstanceId:                     {Name: "nvmlVgpuInstanceGetGpuInstanceId", InSize: 8, OutSize: 8, In: []Field{{Name: "vgpuInstance", Offset: 0, Size: 4}}, Out: []Field{{Name: "gpuInstanceId", Offset: 0, Size: 4}}},
	CallVgpuInstanceGetGpuPciId:                          {Name: "nvmlVgpuInstanceGetGpuPciId", OnError: true, InSize: 16, OutSize: 8, In: []Field{{Name: "vgpuInstance", Offset: 0, Size: 4}, {Name: "has_vgpuPciId", Offset: 4, Size: 4}, {Name: "length", Offset: 8, Size: 4}}, Out: []Field{{Name: "length", Offset: 0, Size: 4}}, OutData: []Array{{Name: "vgpuPciId", Element: 1, Count: "length"}}},
	CallVgpuTypeGetCapabilities:                          {Name: "nvmlVgpuTypeGetCapabilities", InSize: 8, OutSize: 8, In: []Field{{Name: "vgpuTypeId", Offset: 0, Size: 4}, {Name: "capability", Offset: 4, Size: 4}}, Out: []Field{{Name: "capResult", Offset: 0, Size: 4}}},
	CallVgpuInstanceGetMetadata:                          {Name: "nvmlVgpuInstanceGetMetadata", OnError: true, InSize: 16, OutSize: 8, In: []Field{{Name: "vgpuInstance", Offset: 0, Size: 4}, {Name: "has_vgpuMetadata", Offset: 4, Size: 4}, {Name: "bufferSize", Offset: 8, Size: 4}}, Out: []Field{{Name: "bufferSize", Offset: 0, Size: 4}}, OutData: []Array{{Name: "vgpuMetadata", Element: 1, Count: "bufferSize"}}},
	CallDeviceGetVgpuMetadata:                            {Name: "nvmlDeviceGetVgpuMetadata", OnError: true, InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "has_pgpuMetadata", Offset: 8, Size: 4}, {Name: "bufferSize", Offset: 12, Size: 4}}, Out: []Field{{Name: "bufferSize", Offset: 0, Size: 4}}, OutData: []Array{{Name: "pgpuMetadata", Element: 1, Count: "bufferSize"}}},
	CallGetVgpuVersion:                                   {Name: "nvmlGetVgpuVersion", InSize: 0, OutSize: 0, OutData: []Array{{Name: "supported", Element: 8, Count: "1"}, {Name: "current", Element: 8, Count: "1"}}},
	CallSetVgpuVersion:                                   {Name: "nvmlSetVgpuVersion", Root: true, InSize: 0, OutSize: 0, InData: []Array{{Name: "vgpuVersion", Element: 8, Count: "1"}}},
	CallDeviceGetVgpuUtilization:                         {Name: "nvmlDeviceGetVgpuUtilization", OnError: true, InSize: 24, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "lastSeenTimeStamp", Offset: 8, Size: 8}, {Name: "vgpuInstanceSamplesCount", Offset: 16, Size: 4}, {Name: "has_utilizationSamples", Offset: 20, Size: 4}}, Out: []Field{{Name: "sampleValType", Offset: 0, Size: 4}, {Name: "vgpuInstanceSamplesCount", Offset: 4, Size: 4}}, OutData: []Array{{Name: "utilizationSamples", Element: 48, Count: "vgpuInstanceSamplesCount"}}},
	CallDeviceGetVgpuProcessUtilization:                  {Name: "nvmlDeviceGetVgpuProcessUtilization", OnError: true, InSize: 24, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "lastSeenTimeStamp", Offset: 8, Size: 8}, {Name: "vgpuProcessSamplesCount", Offset: 16, Size: 4}, {Name: "has_utilizationSamples", Offset: 20, Size: 4}}, Out: []Field{{Name: "vgpuProcessSamplesCount", Offset: 0, Size: 4}}, OutData: []Array{{Name: "utilizationSamples", Element: 96, Count: "vgpuProcessSamplesCount"}}},
	CallVgpuInstanceGetAccountingMode:                    {Name: "nvmlVgpuInstanceGetAccountingMode", InSize: 8, OutSize: 8, In: []Field{{Name: "vgpuInstance", Offset: 0, Size: 4}}, Out: []Field{{Name: "mode", Offset: 0, Size: 4}}},
	CallVgpuInstanceGetAccountingPids:                    {Name: "nvmlVgpuInstanceGetAccountingPids", OnError: true, InSize: 16, OutSize: 8, In: []Field{{Name: "vgpuInstance", Offset: 0, Size: 4}, {Name: "count", Offset: 4, Size: 4}, {Name: "has_pids", Offset: 8, Size: 4}}, Out: []Field{{Name: "count", Offset: 0, Size: 4}}, OutData: []Array{{Name: "pids", Element: 4, Count: "count"}}},
	CallVgpuInstanceGetAccountingStats:                   {Name: "nvmlVgpuInstanceGetAccountingStats", InSize: 8, OutSize: 0, In: []Field{{Name: "vgpuInstance", Offset: 0, Size: 4}, {Name: "pid", Offset: 4, Size: 4}}, OutData: []Array{{Name: "stats", Element: 56, Count: "1"}}},
	CallVgpuInstanceClearAccountingPids:                  {Name: "nvmlVgpuInstanceClearAccountingPids", Root: true, InSize: 8, OutSize: 0, In: []Field{{Name: "vgpuInstance", Offset: 0, Size: 4}}},
	CallVgpuInstanceGetLicenseInfo_v2:                    {Name: "nvmlVgpuInstanceGetLicenseInfo_v2", InSize: 8, OutSize: 0, In: []Field{{Name: "vgpuInstance", Offset: 0, Size: 4}}, OutData: []Array{{Name: "licenseInfo", Element: 24, Count: "1"}}},
	CallVgpuInstanceGetLicenseInfo:                       {Name: "nvmlVgpuInstanceGetLicenseInfo", InSize: 8, OutSize: 0, In: []Field{{Name: "vgpuInstance", Offset: 0, Size: 4}}, OutData: []Array{{Name: "licenseInfo", Element: 24, Count: "1"}}},
	CallDeviceGetGridLicensableFeatures:                  {Name: "nvmlDeviceGetGridLicensableFeatures", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, OutData: []Array{{Name: "pGridLicensableFeatures", Element: 416, Count: "1"}}},
	CallDeviceGetGridLicensableFeatures_v2:               {Name: "nvmlDeviceGetGridLicensableFeatures_v2", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, OutData: []Array{{Name: "pGridLicensableFeatures", Element: 800, Count: "1"}}},
	CallDeviceGetGridLicensableFeatures_v3:               {Name: "nvmlDeviceGetGridLicensableFeatures_v3", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, OutData: []Array{{Name: "pGridLicensableFeatures", Element: 812, Count: "1"}}},
	CallDeviceGetVgpuHeterogeneousMode:                   {Name: "nvmlDeviceGetVgpuHeterogeneousMode", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "len_pHeterogeneousMode", Offset: 8, Size: 4}}, InData: []Array{{Name: "pHeterogeneousMode", Element: 1, Count: "len_pHeterogeneousMode"}}, OutData: []Array{{Name: "pHeterogeneousMode", Element: 1, Count: "len_pHeterogeneousMode"}}},
	CallDeviceSetVgpuHeterogeneousMode:                   {Name: "nvmlDeviceSetVgpuHeterogeneousMode", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "len_pHeterogeneousMode", Offset: 8, Size: 4}}, InData: []Array{{Name: "pHeterogeneousMode", Element: 1, Count: "len_pHeterogeneousMode"}}},
	CallVgpuInstanceGetPlacementId:                       {Name: "nvmlVgpuInstanceGetPlacementId", InSize: 8, OutSize: 0, In: []Field{{Name: "vgpuInstance", Offset: 0, Size: 4}, {Name: "len_pPlacement", Offset: 4, Size: 4}}, InData: []Array{{Name: "pPlacement", Element: 1, Count: "len_pPlacement"}}, OutData: []Array{{Name: "pPlacement", Element: 1, Count: "len_pPlacement"}}},
	CallVgpuTypeGetGspHeapSize:                           {Name: "nvmlVgpuTypeGetGspHeapSize", InSize: 8, OutSize: 8, In: []Field{{Name: "vgpuTypeId", Offset: 0, Size: 4}}, Out: []Field{{Name: "gspHeapSize", Offset: 0, Size: 8}}},
	CallVgpuTypeGetFbReservation:                         {Name: "nvmlVgpuTypeGetFbReservation", InSize: 8, OutSize: 8, In: []Field{{Name: "vgpuTypeId", Offset: 0, Size: 4}}, Out: []Field{{Name: "fbReservation", Offset: 0, Size: 8}}},
	CallVgpuInstanceGetRuntimeStateSize:                  {Name: "nvmlVgpuInstanceGetRuntimeStateSize", InSize: 8, OutSize: 0, In: []Field{{Name: "vgpuInstance", Offset: 0, Size: 4}, {Name: "len_pState", Offset: 4, Size: 4}}, InData: []Array{{Name: "pState", Element: 1, Count: "len_pState"}}, OutData: []Array{{Name: "pState", Element: 1, Count: "len_pState"}}},
	CallDeviceSetVgpuCapabilities:                        {Name: "nvmlDeviceSetVgpuCapabilities", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "capability", Offset: 8, Size: 4}, {Name: "state", Offset: 12, Size: 4}}},
	CallGetVgpuDriverCapabilities:                        {Name: "nvmlGetVgpuDriverCapabilities", InSize: 8, OutSize: 8, In: []Field{{Name: "capability", Offset: 0, Size: 4}}, Out: []Field{{Name: "capResult", Offset: 0, Size: 4}}},
	CallDeviceGetVgpuCapabilities:                        {Name: "nvmlDeviceGetVgpuCapabilities", InSize: 16, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "capability", Offset: 8, Size: 4}}, Out: []Field{{Name: "capResult", Offset: 0, Size: 4}}},
	CallVgpuTypeGetBAR1Info:                              {Name: "nvmlVgpuTypeGetBAR1Info", InSize: 8, OutSize: 0, In: []Field{{Name: "vgpuTypeId", Offset: 0, Size: 4}, {Name: "len_bar1Info", Offset: 4, Size: 4}}, InData: []Array{{Name: "bar1Info", Element: 1, Count: "len_bar1Info"}}, OutData: []Array{{Name: "bar1Info", Element: 1, Count: "len_bar1Info"}}},
	CallVgpuTypeGetMaxInstancesPerGpuInstance:            {Name: "nvmlVgpuTypeGetMaxInstancesPerGpuInstance", InSize: 8, OutSize: 0, In: []Field{{Name: "len_pMaxInstance", Offset: 0, Size: 4}}, InData: []Array{{Name: "pMaxInstance", Element: 1, Count: "len_pMaxInstance"}}, OutData: []Array{{Name: "pMaxInstance", Element: 1, Count: "len_pMaxInstance"}}},
	CallGpuInstanceSetVgpuSchedulerState:                 {Name: "nvmlGpuInstanceSetVgpuSchedulerState", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "gpuInstance", Offset: 0, Size: 8, Handle: "nvmlGpuInstance_t"}, {Name: "len_pScheduler", Offset: 8, Size: 4}}, InData: []Array{{Name: "pScheduler", Element: 1, Count: "len_pScheduler"}}, OutData: []Array{{Name: "pScheduler", Element: 1, Count: "len_pScheduler"}}},
	CallGpuInstanceGetVgpuSchedulerState:                 {Name: "nvmlGpuInstanceGetVgpuSchedulerState", InSize: 16, OutSize: 0, In: []Field{{Name: "gpuInstance", Offset: 0, Size: 8, Handle: "nvmlGpuInstance_t"}, {Name: "len_pSchedulerStateInfo", Offset: 8, Size: 4}}, InData: []Array{{Name: "pSchedulerStateInfo", Element: 1, Count: "len_pSchedulerStateInfo"}}, OutData: []Array{{Name: "pSchedulerStateInfo", Element: 1, Count: "len_pSchedulerStateInfo"}}},
	CallGpuInstanceGetVgpuSchedulerLog:                   {Name: "nvmlGpuInstanceGetVgpuSchedulerLog", InSize: 16, OutSize: 0, In: []Field{{Name: "gpuInstance", Offset: 0, Size: 8, Handle: "nvmlGpuInstance_t"}, {Name: "len_pSchedulerLogInfo", Offset: 8, Size: 4}}, InData: []Array{{Name: "pSchedulerLogInfo", Element: 1, Count: "len_pSchedulerLogInfo"}}, OutData: []Array{{Name: "pSchedulerLogInfo", Element: 1, Count: "len_pSchedulerLogInfo"}}},
	CallGpuInstanceGetVgpuHeterogeneousMode:              {Name: "nvmlGpuInstanceGetVgpuHeterogeneousMode", InSize: 16, OutSize: 0, In: []Field{{Name: "gpuInstance", Offset: 0, Size: 8, Handle: "nvmlGpuInstance_t"}, {Name: "len_pHeterogeneousMode", Offset: 8, Size: 4}}, InData: []Array{{Name: "pHeterogeneousMode", Element: 1, Count: "len_pHeterogeneousMode"}}, OutData: []Array{{Name: "pHeterogeneousMode", Element: 1, Count: "len_pHeterogeneousMode"}}},
	CallGpuInstanceSetVgpuHeterogeneousMode:              {Name: "nvmlGpuInstanceSetVgpuHeterogeneousMode", Root: true, InSize: 16, OutSize: 0, In: []Field{{Name: "gpuInstance", Offset: 0, Size: 8, Handle: "nvmlGpuInstance_t"}, {Name: "len_pHeterogeneousMode", Offset: 8, Size: 4}}, InData: []Array{{Name: "pHeterogeneousMode", Element: 1, Count: "len_pHeterogeneousMode"}}},
	CallDeviceGetVgpuSchedulerLog:                        {Name: "nvmlDeviceGetVgpuSchedulerLog", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, OutData: []Array{{Name: "pSchedulerLog", Element: 9624, Count: "1"}}},
	CallDeviceGetVgpuSchedulerState:                      {Name: "nvmlDeviceGetVgpuSchedulerState", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, OutData: []Array{{Name: "pSchedulerState", Element: 16, Count: "1"}}},
	CallDeviceGetVgpuSchedulerCapabilities:               {Name: "nvmlDeviceGetVgpuSchedulerCapabilities", InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, OutData: []Array{{Name: "pCapabilities", Element: 40, Count: "1"}}},
	CallDeviceSetVgpuSchedulerState:                      {Name: "nvmlDeviceSetVgpuSchedulerState", Root: true, InSize: 8, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}}, InData: []Array{{Name: "pSchedulerState", Element: 16, Count: "1"}}},
	CallDeviceGetRunningProcessDetailList:                {Name: "axDeviceGetRunningProcessDetailList", OnError: true, InSize: 24, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "version", Offset: 8, Size: 4}, {Name: "mode", Offset: 12, Size: 4}, {Name: "count", Offset: 16, Size: 4}, {Name: "has_list", Offset: 20, Size: 4}}, Out: []Field{{Name: "count", Offset: 0, Size: 4}}, OutData: []Array{{Name: "list", Element: 32, Count: "count"}}},
	CallDeviceGetProcessesUtilizationInfo:                {Name: "axDeviceGetProcessesUtilizationInfo", OnError: true, InSize: 32, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "version", Offset: 8, Size: 4}, {Name: "lastSeenTimeStamp", Offset: 16, Size: 8}, {Name: "count", Offset: 24, Size: 4}, {Name: "has_list", Offset: 28, Size: 4}}, Out: []Field{{Name: "count", Offset: 0, Size: 4}}, OutData: []Array{{Name: "list", Element: 40, Count: "count"}}},
	CallDeviceGetSramUniqueUncorrectedEccErrorCounts:     {Name: "axDeviceGetSramUniqueUncorrectedEccErrorCounts", OnError: true, InSize: 24, OutSize: 8, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "version", Offset: 8, Size: 4}, {Name: "count", Offset: 12, Size: 4}, {Name: "has_list", Offset: 16, Size: 4}}, Out: []Field{{Name: "count", Offset: 0, Size: 4}}, OutData: []Array{{Name: "list", Element: 28, Count: "count"}}},
	CallDeviceReadPRMCounters_v1:                         {Name: "axDeviceReadPRMCounters_v1", InSize: 16, OutSize: 0, In: []Field{{Name: "device", Offset: 0, Size: 8, Handle: "nvmlDevice_t"}, {Name: "count", Offset: 8, Size: 4}}, InData: []Array{{Name: "counters", Element: 24, Count: "count"}}, OutData: []Array{{Name: "counters", Element: 24, Count: "count"}}},
	CallGpmMetricsGet:                                    {Name: "axGpmMetricsGet", InSize: 32, OutSize: 0, In: []Field{{Name: "version", Offset: 0, Size: 4}, {Name: "sample1", Offset: 8, Size: 8, Handle: "nvmlGpmSample_t"}, {Name: "sample2", Offset: 16, Size: 8, Handle: "nvmlGpmSample_t"}, {Name: "count", Offset: 24, Size: 4}}, InData: []Array{{Name: "metrics", Element: 208, Count: "count"}}, OutData: []Array{{Name: "metrics", Element: 208, Count: "count"}}},
}
