// SPDX-License-Identifier: Apache-2.0
// Code generated from shims/api/nvml by shims/gen; DO NOT EDIT.

package nvml

import (
	"encoding/binary"
	"math"
)

var _ = math.Pi

// Fingerprint is of the description: both sides of a connection have the same one, or can't talk.
var Fingerprint = [16]byte{0xdb, 0xf7, 0xc9, 0xa8, 0x89, 0xd2, 0x46, 0xc2, 0xf5, 0x09, 0x9a, 0xe5, 0x6e, 0xa5, 0xe0, 0xff}

var le = binary.LittleEndian

// Names of the library's constants.
const (
	VALUE_NOT_AVAILABLE                                                 = (-1)
	DEVICE_PCI_BUS_ID_BUFFER_SIZE                                       = 32
	DEVICE_PCI_BUS_ID_BUFFER_V2_SIZE                                    = 16
	NVLINK_MAX_LINKS                                                    = 18
	MAX_PHYSICAL_BRIDGE                                                 = 128
	MAX_THERMAL_SENSORS_PER_GPU                                         = 3
	FlagDefault                                                         = 0
	FlagForce                                                           = 1
	MAX_CLK_DOMAINS                                                     = 32
	MAX_GPU_PERF_PSTATES                                                = 16
	GRID_LICENSE_EXPIRY_NOT_AVAILABLE                                   = 0
	GRID_LICENSE_EXPIRY_INVALID                                         = 1
	GRID_LICENSE_EXPIRY_VALID                                           = 2
	GRID_LICENSE_EXPIRY_NOT_APPLICABLE                                  = 3
	GRID_LICENSE_EXPIRY_PERMANENT                                       = 4
	GRID_LICENSE_BUFFER_SIZE                                            = 128
	VGPU_NAME_BUFFER_SIZE                                               = 64
	GRID_LICENSE_FEATURE_MAX_COUNT                                      = 3
	INVALID_GPU_INSTANCE_PROFILE_ID                                     = 0xffffffff
	INVALID_GPU_INSTANCE_ID                                             = 0xffffffff
	VGPU_VIRTUALIZATION_CAP_MIGRATION_NO                                = 0
	VGPU_VIRTUALIZATION_CAP_MIGRATION_YES                               = 1
	VGPU_PGPU_VIRTUALIZATION_CAP_MIGRATION_NO                           = 0
	VGPU_PGPU_VIRTUALIZATION_CAP_MIGRATION_YES                          = 1
	GRID_LICENSE_STATE_UNKNOWN                                          = 0
	GRID_LICENSE_STATE_UNINITIALIZED                                    = 1
	GRID_LICENSE_STATE_UNLICENSED_UNRESTRICTED                          = 2
	GRID_LICENSE_STATE_UNLICENSED_RESTRICTED                            = 3
	GRID_LICENSE_STATE_UNLICENSED                                       = 4
	GRID_LICENSE_STATE_LICENSED                                         = 5
	GSP_FIRMWARE_VERSION_BUF_SIZE                                       = 64
	DEVICE_ARCH_KEPLER                                                  = 2
	DEVICE_ARCH_MAXWELL                                                 = 3
	DEVICE_ARCH_PASCAL                                                  = 4
	DEVICE_ARCH_VOLTA                                                   = 5
	DEVICE_ARCH_TURING                                                  = 6
	DEVICE_ARCH_AMPERE                                                  = 7
	DEVICE_ARCH_ADA                                                     = 8
	DEVICE_ARCH_HOPPER                                                  = 9
	DEVICE_ARCH_UNKNOWN                                                 = 0xffffffff
	BUS_TYPE_UNKNOWN                                                    = 0
	BUS_TYPE_PCI                                                        = 1
	BUS_TYPE_PCIE                                                       = 2
	BUS_TYPE_FPCI                                                       = 3
	BUS_TYPE_AGP                                                        = 4
	POWER_SOURCE_AC                                                     = 0
	POWER_SOURCE_BATTERY                                                = 1
	PCIE_LINK_MAX_SPEED_INVALID                                         = 0
	PCIE_LINK_MAX_SPEED_2500MBPS                                        = 1
	PCIE_LINK_MAX_SPEED_5000MBPS                                        = 2
	PCIE_LINK_MAX_SPEED_8000MBPS                                        = 3
	PCIE_LINK_MAX_SPEED_16000MBPS                                       = 4
	PCIE_LINK_MAX_SPEED_32000MBPS                                       = 5
	ADAPTIVE_CLOCKING_INFO_STATUS_DISABLED                              = 0
	ADAPTIVE_CLOCKING_INFO_STATUS_ENABLED                               = 1
	MAX_GPU_UTILIZATIONS                                                = 8
	EventTypeSingleBitEccError                                          = 1
	EventTypeDoubleBitEccError                                          = 2
	EventTypePState                                                     = 4
	EventTypeXidCriticalError                                           = 8
	EventTypeClock                                                      = 16
	EventTypePowerSourceChange                                          = 128
	EventMigConfigChange                                                = 256
	EventTypeNone                                                       = 0
	ClocksThrottleReasonGpuIdle                                         = 1
	ClocksThrottleReasonApplicationsClocksSetting                       = 2
	ClocksThrottleReasonUserDefinedClocks                               = 2
	ClocksThrottleReasonSwPowerCap                                      = 4
	ClocksThrottleReasonHwSlowdown                                      = 8
	ClocksThrottleReasonSyncBoost                                       = 16
	ClocksThrottleReasonSwThermalSlowdown                               = 32
	ClocksThrottleReasonHwThermalSlowdown                               = 64
	ClocksThrottleReasonHwPowerBrakeSlowdown                            = 128
	ClocksThrottleReasonDisplayClockSetting                             = 256
	ClocksThrottleReasonNone                                            = 0
	NVFBC_SESSION_FLAG_DIFFMAP_ENABLED                                  = 1
	NVFBC_SESSION_FLAG_CLASSIFICATIONMAP_ENABLED                        = 2
	NVFBC_SESSION_FLAG_CAPTURE_WITH_WAIT_NO_WAIT                        = 4
	NVFBC_SESSION_FLAG_CAPTURE_WITH_WAIT_INFINITE                       = 8
	NVFBC_SESSION_FLAG_CAPTURE_WITH_WAIT_TIMEOUT                        = 16
	INIT_FLAG_NO_GPUS                                                   = 1
	INIT_FLAG_NO_ATTACH                                                 = 2
	DEVICE_INFOROM_VERSION_BUFFER_SIZE                                  = 16
	DEVICE_UUID_BUFFER_SIZE                                             = 80
	DEVICE_UUID_V2_BUFFER_SIZE                                          = 96
	DEVICE_PART_NUMBER_BUFFER_SIZE                                      = 80
	SYSTEM_DRIVER_VERSION_BUFFER_SIZE                                   = 80
	SYSTEM_NVML_VERSION_BUFFER_SIZE                                     = 80
	DEVICE_NAME_BUFFER_SIZE                                             = 64
	DEVICE_NAME_V2_BUFFER_SIZE                                          = 96
	DEVICE_SERIAL_BUFFER_SIZE                                           = 30
	DEVICE_VBIOS_VERSION_BUFFER_SIZE                                    = 32
	AFFINITY_SCOPE_NODE                                                 = 0
	AFFINITY_SCOPE_SOCKET                                               = 1
	DEVICE_MIG_DISABLE                                                  = 0
	DEVICE_MIG_ENABLE                                                   = 1
	GPU_INSTANCE_PROFILE_1_SLICE                                        = 0
	GPU_INSTANCE_PROFILE_2_SLICE                                        = 1
	GPU_INSTANCE_PROFILE_3_SLICE                                        = 2
	GPU_INSTANCE_PROFILE_4_SLICE                                        = 3
	GPU_INSTANCE_PROFILE_7_SLICE                                        = 4
	GPU_INSTANCE_PROFILE_8_SLICE                                        = 5
	GPU_INSTANCE_PROFILE_6_SLICE                                        = 6
	GPU_INSTANCE_PROFILE_1_SLICE_REV1                                   = 7
	COMPUTE_INSTANCE_PROFILE_1_SLICE                                    = 0
	COMPUTE_INSTANCE_PROFILE_2_SLICE                                    = 1
	COMPUTE_INSTANCE_PROFILE_3_SLICE                                    = 2
	COMPUTE_INSTANCE_PROFILE_4_SLICE                                    = 3
	COMPUTE_INSTANCE_PROFILE_7_SLICE                                    = 4
	COMPUTE_INSTANCE_PROFILE_8_SLICE                                    = 5
	COMPUTE_INSTANCE_PROFILE_6_SLICE                                    = 6
	COMPUTE_INSTANCE_ENGINE_PROFILE_SHARED                              = 0
	COMPUTE_INSTANCE_ENGINE_PROFILE_COUNT                               = 1
	GPM_METRICS_GET_VERSION                                             = 1
	DEVICE_GPU_PART_NUMBER_BUFFER_SIZE                                  = 80
	DEVICE_GPU_FRU_PART_NUMBER_BUFFER_SIZE                              = 20
	PERF_MODES_BUFFER_SIZE                                              = 2048
	MAX_GPC_COUNT                                                       = 32
	INIT_FLAG_FORCE_INIT                                                = 4
	DEVICE_ARCH_BLACKWELL                                               = 10
	POWER_SOURCE_UNDERSIZED                                             = 2
	PCIE_LINK_MAX_SPEED_64000MBPS                                       = 6
	PCIE_ATOMICS_CAP_FETCHADD32                                         = 0x01
	PCIE_ATOMICS_CAP_FETCHADD64                                         = 0x02
	PCIE_ATOMICS_CAP_SWAP32                                             = 0x04
	PCIE_ATOMICS_CAP_SWAP64                                             = 0x08
	PCIE_ATOMICS_CAP_CAS32                                              = 0x10
	PCIE_ATOMICS_CAP_CAS64                                              = 0x20
	PCIE_ATOMICS_CAP_CAS128                                             = 0x40
	PCIE_ATOMICS_OPS_MAX                                                = 7
	FAN_POLICY_TEMPERATURE_CONTINOUS_SW                                 = 0
	FAN_POLICY_MANUAL                                                   = 1
	NVLINK_VERSION_INVALID                                              = 0
	NVLINK_VERSION_1_0                                                  = 1
	NVLINK_VERSION_2_0                                                  = 2
	NVLINK_VERSION_2_2                                                  = 3
	NVLINK_VERSION_3_0                                                  = 4
	NVLINK_VERSION_3_1                                                  = 5
	NVLINK_VERSION_4_0                                                  = 6
	NVLINK_VERSION_5_0                                                  = 7
	NVLINK_STATE_INACTIVE                                               = 0
	NVLINK_STATE_ACTIVE                                                 = 1
	NVLINK_STATE_SLEEP                                                  = 2
	NVLINK_POWER_STATE_HIGH_SPEED                                       = 0
	NVLINK_POWER_STATE_LOW                                              = 1
	NVLINK_LOW_POWER_THRESHOLD_MIN                                      = 1
	NVLINK_LOW_POWER_THRESHOLD_MAX                                      = 0x1FFF
	NVLINK_LOW_POWER_THRESHOLD_RESET                                    = 0xFFFFFFFF
	NVLINK_LOW_POWER_THRESHOLD_UNIT_100US                               = 0
	NVLINK_LOW_POWER_THRESHOLD_UNIT_50US                                = 1
	C2C_POWER_STATE_FULL_POWER                                          = 0
	C2C_POWER_STATE_LOW_POWER                                           = 1
	GPU_NVLINK_BW_MODE_FULL                                             = 0
	GPU_NVLINK_BW_MODE_OFF                                              = 1
	GPU_NVLINK_BW_MODE_MIN                                              = 2
	GPU_NVLINK_BW_MODE_HALF                                             = 3
	GPU_NVLINK_BW_MODE_3QUARTER                                         = 4
	GPU_NVLINK_BW_MODE_COUNT                                            = 5
	NVLINK_TOTAL_SUPPORTED_BW_MODES                                     = 23
	NVLINK_FIRMWARE_UCODE_TYPE_MSE                                      = 1
	NVLINK_FIRMWARE_UCODE_TYPE_NETIR                                    = 2
	NVLINK_FIRMWARE_UCODE_TYPE_NETIR_UPHY                               = 3
	NVLINK_FIRMWARE_UCODE_TYPE_NETIR_CLN                                = 4
	NVLINK_FIRMWARE_UCODE_TYPE_NETIR_DLN                                = 5
	NVLINK_FIRMWARE_VERSION_LENGTH                                      = 100
	PROCESS_MODE_COMPUTE                                                = 0
	PROCESS_MODE_GRAPHICS                                               = 1
	PROCESS_MODE_MPS                                                    = 2
	DEVICE_UUID_ASCII_LEN                                               = 41
	DEVICE_UUID_BINARY_LEN                                              = 16
	DEVICE_ADDRESSING_MODE_NONE                                         = 0
	DEVICE_ADDRESSING_MODE_HMM                                          = 1
	DEVICE_ADDRESSING_MODE_ATS                                          = 2
	PRM_DATA_MAX_SIZE                                                   = 496
	EventTypeSingleBitEccErrorStorm                                     = 0x200
	EventTypeDramRetirementEvent                                        = 0x400
	EventTypeDramRetirementFailure                                      = 0x800
	EventTypeNonFatalPoisonError                                        = 0x1000
	EventTypeFatalPoisonError                                           = 0x2000
	EventTypeGpuUnavailableError                                        = 0x4000
	EventTypeGpuRecoveryAction                                          = 0x8000
	EventTypeAll                                                        = 0xff9f
	SystemEventTypeGpuDriverUnbind                                      = 1
	SystemEventTypeGpuDriverBind                                        = 2
	ClocksEventReasonGpuIdle                                            = 0x1
	ClocksEventReasonApplicationsClocksSetting                          = 0x2
	ClocksEventReasonSwPowerCap                                         = 0x4
	ClocksEventReasonHwSlowdown                                         = 0x8
	ClocksEventReasonSyncBoost                                          = 0x10
	ClocksEventReasonSwThermalSlowdown                                  = 0x20
	ClocksEventReasonHwThermalSlowdown                                  = 0x40
	ClocksEventReasonHwPowerBrakeSlowdown                               = 0x80
	ClocksEventReasonDisplayClockSetting                                = 0x100
	ClocksEventReasonNone                                               = 0
	ClocksEventReasonAll                                                = 0x1ff
	GPU_INSTANCE_PROFILE_2_SLICE_REV1                                   = 8
	GPU_INSTANCE_PROFILE_1_SLICE_REV2                                   = 9
	GPU_INSTANCE_PROFILE_1_SLICE_GFX                                    = 0xA
	GPU_INSTANCE_PROFILE_2_SLICE_GFX                                    = 0xB
	GPU_INSTANCE_PROFILE_4_SLICE_GFX                                    = 0xC
	GPU_INSTANCE_PROFILE_1_SLICE_NO_ME                                  = 0xD
	GPU_INSTANCE_PROFILE_2_SLICE_NO_ME                                  = 0xE
	GPU_INSTANCE_PROFILE_1_SLICE_ALL_ME                                 = 0xF
	GPU_INSTANCE_PROFILE_2_SLICE_ALL_ME                                 = 0x10
	GPU_INSTANCE_PROFILE_COUNT                                          = 0x11
	COMPUTE_INSTANCE_PROFILE_1_SLICE_REV1                               = 7
	COMPUTE_INSTANCE_PROFILE_COUNT                                      = 8
	VGPU_SCHEDULER_POLICY_UNKNOWN                                       = 0
	VGPU_SCHEDULER_POLICY_BEST_EFFORT                                   = 1
	VGPU_SCHEDULER_POLICY_EQUAL_SHARE                                   = 2
	VGPU_SCHEDULER_POLICY_FIXED_SHARE                                   = 3
	SUPPORTED_VGPU_SCHEDULER_POLICY_COUNT                               = 3
	SCHEDULER_SW_MAX_LOG_ENTRIES                                        = 200
	VGPU_SCHEDULER_ARR_DEFAULT                                          = 0
	VGPU_SCHEDULER_ARR_DISABLE                                          = 1
	VGPU_SCHEDULER_ARR_ENABLE                                           = 2
	VGPU_SCHEDULER_ENGINE_TYPE_GRAPHICS                                 = 1
	GPU_FABRIC_UUID_LEN                                                 = 16
	GPU_FABRIC_STATE_NOT_SUPPORTED                                      = 0
	GPU_FABRIC_STATE_NOT_STARTED                                        = 1
	GPU_FABRIC_STATE_IN_PROGRESS                                        = 2
	GPU_FABRIC_STATE_COMPLETED                                          = 3
	GPU_FABRIC_HEALTH_MASK_DEGRADED_BW_NOT_SUPPORTED                    = 0
	GPU_FABRIC_HEALTH_MASK_DEGRADED_BW_TRUE                             = 1
	GPU_FABRIC_HEALTH_MASK_DEGRADED_BW_FALSE                            = 2
	GPU_FABRIC_HEALTH_MASK_SHIFT_DEGRADED_BW                            = 0
	GPU_FABRIC_HEALTH_MASK_WIDTH_DEGRADED_BW                            = 3
	GPU_FABRIC_HEALTH_MASK_ROUTE_RECOVERY_NOT_SUPPORTED                 = 0
	GPU_FABRIC_HEALTH_MASK_ROUTE_RECOVERY_TRUE                          = 1
	GPU_FABRIC_HEALTH_MASK_ROUTE_RECOVERY_FALSE                         = 2
	GPU_FABRIC_HEALTH_MASK_SHIFT_ROUTE_RECOVERY                         = 2
	GPU_FABRIC_HEALTH_MASK_WIDTH_ROUTE_RECOVERY                         = 3
	GPU_FABRIC_HEALTH_MASK_ROUTE_UNHEALTHY_NOT_SUPPORTED                = 0
	GPU_FABRIC_HEALTH_MASK_ROUTE_UNHEALTHY_TRUE                         = 1
	GPU_FABRIC_HEALTH_MASK_ROUTE_UNHEALTHY_FALSE                        = 2
	GPU_FABRIC_HEALTH_MASK_SHIFT_ROUTE_UNHEALTHY                        = 4
	GPU_FABRIC_HEALTH_MASK_WIDTH_ROUTE_UNHEALTHY                        = 3
	GPU_FABRIC_HEALTH_MASK_ACCESS_TIMEOUT_RECOVERY_NOT_SUPPORTED        = 0
	GPU_FABRIC_HEALTH_MASK_ACCESS_TIMEOUT_RECOVERY_TRUE                 = 1
	GPU_FABRIC_HEALTH_MASK_ACCESS_TIMEOUT_RECOVERY_FALSE                = 2
	GPU_FABRIC_HEALTH_MASK_SHIFT_ACCESS_TIMEOUT_RECOVERY                = 6
	GPU_FABRIC_HEALTH_MASK_WIDTH_ACCESS_TIMEOUT_RECOVERY                = 3
	GPU_FABRIC_HEALTH_MASK_INCORRECT_CONFIGURATION_NOT_SUPPORTED        = 0
	GPU_FABRIC_HEALTH_MASK_INCORRECT_CONFIGURATION_NONE                 = 1
	GPU_FABRIC_HEALTH_MASK_INCORRECT_CONFIGURATION_INCORRECT_SYSGUID    = 2
	GPU_FABRIC_HEALTH_MASK_INCORRECT_CONFIGURATION_INCORRECT_CHASSIS_SN = 3
	GPU_FABRIC_HEALTH_MASK_INCORRECT_CONFIGURATION_NO_PARTITION         = 4
	GPU_FABRIC_HEALTH_MASK_INCORRECT_CONFIGURATION_INSUFFICIENT_NVLINKS = 5
	GPU_FABRIC_HEALTH_MASK_SHIFT_INCORRECT_CONFIGURATION                = 8
	GPU_FABRIC_HEALTH_MASK_WIDTH_INCORRECT_CONFIGURATION                = 0xf
	GPU_FABRIC_HEALTH_SUMMARY_NOT_SUPPORTED                             = 0
	GPU_FABRIC_HEALTH_SUMMARY_HEALTHY                                   = 1
	GPU_FABRIC_HEALTH_SUMMARY_UNHEALTHY                                 = 2
	GPU_FABRIC_HEALTH_SUMMARY_LIMITED_CAPACITY                          = 3
	POWER_SCOPE_GPU                                                     = 0
	POWER_SCOPE_MODULE                                                  = 1
	POWER_SCOPE_MEMORY                                                  = 2
	DEV_CAP_EGM                                                         = 1
	WORKLOAD_POWER_MAX_PROFILES                                         = 255
	POWER_PROFILE_MAX_P                                                 = 0
	POWER_PROFILE_MAX_Q                                                 = 1
	POWER_PROFILE_COMPUTE                                               = 2
	POWER_PROFILE_MEMORY_BOUND                                          = 3
	POWER_PROFILE_NETWORK                                               = 4
	POWER_PROFILE_BALANCED                                              = 5
	POWER_PROFILE_LLM_INFERENCE                                         = 6
	POWER_PROFILE_LLM_TRAINING                                          = 7
	POWER_PROFILE_RBM                                                   = 8
	POWER_PROFILE_DCPCIE                                                = 9
	POWER_PROFILE_HMMA_SPARSE                                           = 10
	POWER_PROFILE_HMMA_DENSE                                            = 11
	POWER_PROFILE_SYNC_BALANCED                                         = 12
	POWER_PROFILE_HPC                                                   = 13
	POWER_PROFILE_MIG                                                   = 14
	POWER_PROFILE_MAX                                                   = 15
	POWER_MIZER_MODE_ADAPTIVE                                           = 0
	POWER_MIZER_MODE_PREFER_MAXIMUM_PERFORMANCE                         = 1
	POWER_MIZER_MODE_AUTO                                               = 2
	POWER_MIZER_MODE_PREFER_CONSISTENT_PERFORMANCE                      = 3
	POWER_SMOOTHING_PROFILE_PARAM_PERCENT_TMP_FLOOR                     = 0
	POWER_SMOOTHING_PROFILE_PARAM_RAMP_UP_RATE                          = 1
	POWER_SMOOTHING_PROFILE_PARAM_RAMP_DOWN_RATE                        = 2
	POWER_SMOOTHING_PROFILE_PARAM_RAMP_DOWN_HYSTERESIS                  = 3
	CC_SYSTEM_CPU_CAPS_NONE                                             = 0
	CC_SYSTEM_CPU_CAPS_AMD_SEV                                          = 1
	CC_SYSTEM_CPU_CAPS_INTEL_TDX                                        = 2
	CC_SYSTEM_CPU_CAPS_AMD_SEV_SNP                                      = 3
	CC_SYSTEM_CPU_CAPS_AMD_SNP_VTOM                                     = 4
	CC_SYSTEM_GPUS_CC_NOT_CAPABLE                                       = 0
	CC_SYSTEM_GPUS_CC_CAPABLE                                           = 1
	CC_SYSTEM_DEVTOOLS_MODE_OFF                                         = 0
	CC_SYSTEM_DEVTOOLS_MODE_ON                                          = 1
	CC_SYSTEM_ENVIRONMENT_UNAVAILABLE                                   = 0
	CC_SYSTEM_ENVIRONMENT_SIM                                           = 1
	CC_SYSTEM_ENVIRONMENT_PROD                                          = 2
	CC_SYSTEM_FEATURE_DISABLED                                          = 0
	CC_SYSTEM_FEATURE_ENABLED                                           = 1
	CC_SYSTEM_MULTIGPU_NONE                                             = 0
	CC_SYSTEM_MULTIGPU_PROTECTED_PCIE                                   = 1
	CC_SYSTEM_MULTIGPU_NVLE                                             = 2
	CC_ACCEPTING_CLIENT_REQUESTS_FALSE                                  = 0
	CC_ACCEPTING_CLIENT_REQUESTS_TRUE                                   = 1
	GPU_CERT_CHAIN_SIZE                                                 = 0x1000
	GPU_ATTESTATION_CERT_CHAIN_SIZE                                     = 0x1400
	CC_GPU_CEC_NONCE_SIZE                                               = 0x20
	CC_GPU_ATTESTATION_REPORT_SIZE                                      = 0x2000
	CC_GPU_CEC_ATTESTATION_REPORT_SIZE                                  = 0x1000
	GPM_SUPPORT_VERSION                                                 = 1
	FI_DEV_ECC_CURRENT                                                  = 1
	FI_DEV_ECC_PENDING                                                  = 2
	FI_DEV_ECC_SBE_VOL_TOTAL                                            = 3
	FI_DEV_ECC_DBE_VOL_TOTAL                                            = 4
	FI_DEV_ECC_SBE_AGG_TOTAL                                            = 5
	FI_DEV_ECC_DBE_AGG_TOTAL                                            = 6
	FI_DEV_ECC_SBE_VOL_L1                                               = 7
	FI_DEV_ECC_DBE_VOL_L1                                               = 8
	FI_DEV_ECC_SBE_VOL_L2                                               = 9
	FI_DEV_ECC_DBE_VOL_L2                                               = 10
	FI_DEV_ECC_SBE_VOL_DEV                                              = 11
	FI_DEV_ECC_DBE_VOL_DEV                                              = 12
	FI_DEV_ECC_SBE_VOL_REG                                              = 13
	FI_DEV_ECC_DBE_VOL_REG                                              = 14
	FI_DEV_ECC_SBE_VOL_TEX                                              = 15
	FI_DEV_ECC_DBE_VOL_TEX                                              = 16
	FI_DEV_ECC_DBE_VOL_CBU                                              = 17
	FI_DEV_ECC_SBE_AGG_L1                                               = 18
	FI_DEV_ECC_DBE_AGG_L1                                               = 19
	FI_DEV_ECC_SBE_AGG_L2                                               = 20
	FI_DEV_ECC_DBE_AGG_L2                                               = 21
	FI_DEV_ECC_SBE_AGG_DEV                                              = 22
	FI_DEV_ECC_DBE_AGG_DEV                                              = 23
	FI_DEV_ECC_SBE_AGG_REG                                              = 24
	FI_DEV_ECC_DBE_AGG_REG                                              = 25
	FI_DEV_ECC_SBE_AGG_TEX                                              = 26
	FI_DEV_ECC_DBE_AGG_TEX                                              = 27
	FI_DEV_ECC_DBE_AGG_CBU                                              = 28
	FI_DEV_RETIRED_SBE                                                  = 29
	FI_DEV_RETIRED_DBE                                                  = 30
	FI_DEV_RETIRED_PENDING                                              = 31
	FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_L0                               = 32
	FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_L1                               = 33
	FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_L2                               = 34
	FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_L3                               = 35
	FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_L4                               = 36
	FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_L5                               = 37
	FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL                            = 38
	FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_L0                               = 39
	FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_L1                               = 40
	FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_L2                               = 41
	FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_L3                               = 42
	FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_L4                               = 43
	FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_L5                               = 44
	FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_TOTAL                            = 45
	FI_DEV_NVLINK_REPLAY_ERROR_COUNT_L0                                 = 46
	FI_DEV_NVLINK_REPLAY_ERROR_COUNT_L1                                 = 47
	FI_DEV_NVLINK_REPLAY_ERROR_COUNT_L2                                 = 48
	FI_DEV_NVLINK_REPLAY_ERROR_COUNT_L3                                 = 49
	FI_DEV_NVLINK_REPLAY_ERROR_COUNT_L4                                 = 50
	FI_DEV_NVLINK_REPLAY_ERROR_COUNT_L5                                 = 51
	FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL                              = 52
	FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_L0                               = 53
	FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_L1                               = 54
	FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_L2                               = 55
	FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_L3                               = 56
	FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_L4                               = 57
	FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_L5                               = 58
	FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL                            = 59
	FI_DEV_NVLINK_BANDWIDTH_C0_L0                                       = 60
	FI_DEV_NVLINK_BANDWIDTH_C0_L1                                       = 61
	FI_DEV_NVLINK_BANDWIDTH_C0_L2                                       = 62
	FI_DEV_NVLINK_BANDWIDTH_C0_L3                                       = 63
	FI_DEV_NVLINK_BANDWIDTH_C0_L4                                       = 64
	FI_DEV_NVLINK_BANDWIDTH_C0_L5                                       = 65
	FI_DEV_NVLINK_BANDWIDTH_C0_TOTAL                                    = 66
	FI_DEV_NVLINK_BANDWIDTH_C1_L0                                       = 67
	FI_DEV_NVLINK_BANDWIDTH_C1_L1                                       = 68
	FI_DEV_NVLINK_BANDWIDTH_C1_L2                                       = 69
	FI_DEV_NVLINK_BANDWIDTH_C1_L3                                       = 70
	FI_DEV_NVLINK_BANDWIDTH_C1_L4                                       = 71
	FI_DEV_NVLINK_BANDWIDTH_C1_L5                                       = 72
	FI_DEV_NVLINK_BANDWIDTH_C1_TOTAL                                    = 73
	FI_DEV_PERF_POLICY_POWER                                            = 74
	FI_DEV_PERF_POLICY_THERMAL                                          = 75
	FI_DEV_PERF_POLICY_SYNC_BOOST                                       = 76
	FI_DEV_PERF_POLICY_BOARD_LIMIT                                      = 77
	FI_DEV_PERF_POLICY_LOW_UTILIZATION                                  = 78
	FI_DEV_PERF_POLICY_RELIABILITY                                      = 79
	FI_DEV_PERF_POLICY_TOTAL_APP_CLOCKS                                 = 80
	FI_DEV_PERF_POLICY_TOTAL_BASE_CLOCKS                                = 81
	FI_DEV_MEMORY_TEMP                                                  = 82
	FI_DEV_TOTAL_ENERGY_CONSUMPTION                                     = 83
	FI_DEV_NVLINK_SPEED_MBPS_L0                                         = 84
	FI_DEV_NVLINK_SPEED_MBPS_L1                                         = 85
	FI_DEV_NVLINK_SPEED_MBPS_L2                                         = 86
	FI_DEV_NVLINK_SPEED_MBPS_L3                                         = 87
	FI_DEV_NVLINK_SPEED_MBPS_L4                                         = 88
	FI_DEV_NVLINK_SPEED_MBPS_L5                                         = 89
	FI_DEV_NVLINK_SPEED_MBPS_COMMON                                     = 90
	FI_DEV_NVLINK_LINK_COUNT                                            = 91
	FI_DEV_RETIRED_PENDING_SBE                                          = 92
	FI_DEV_RETIRED_PENDING_DBE                                          = 93
	FI_DEV_PCIE_REPLAY_COUNTER                                          = 94
	FI_DEV_PCIE_REPLAY_ROLLOVER_COUNTER                                 = 95
	FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_L6                               = 96
	FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_L7                               = 97
	FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_L8                               = 98
	FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_L9                               = 99
	FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_L10                              = 100
	FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_L11                              = 101
	FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_L6                               = 102
	FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_L7                               = 103
	FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_L8                               = 104
	FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_L9                               = 105
	FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_L10                              = 106
	FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_L11                              = 107
	FI_DEV_NVLINK_REPLAY_ERROR_COUNT_L6                                 = 108
	FI_DEV_NVLINK_REPLAY_ERROR_COUNT_L7                                 = 109
	FI_DEV_NVLINK_REPLAY_ERROR_COUNT_L8                                 = 110
	FI_DEV_NVLINK_REPLAY_ERROR_COUNT_L9                                 = 111
	FI_DEV_NVLINK_REPLAY_ERROR_COUNT_L10                                = 112
	FI_DEV_NVLINK_REPLAY_ERROR_COUNT_L11                                = 113
	FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_L6                               = 114
	FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_L7                               = 115
	FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_L8                               = 116
	FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_L9                               = 117
	FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_L10                              = 118
	FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_L11                              = 119
	FI_DEV_NVLINK_BANDWIDTH_C0_L6                                       = 120
	FI_DEV_NVLINK_BANDWIDTH_C0_L7                                       = 121
	FI_DEV_NVLINK_BANDWIDTH_C0_L8                                       = 122
	FI_DEV_NVLINK_BANDWIDTH_C0_L9                                       = 123
	FI_DEV_NVLINK_BANDWIDTH_C0_L10                                      = 124
	FI_DEV_NVLINK_BANDWIDTH_C0_L11                                      = 125
	FI_DEV_NVLINK_BANDWIDTH_C1_L6                                       = 126
	FI_DEV_NVLINK_BANDWIDTH_C1_L7                                       = 127
	FI_DEV_NVLINK_BANDWIDTH_C1_L8                                       = 128
	FI_DEV_NVLINK_BANDWIDTH_C1_L9                                       = 129
	FI_DEV_NVLINK_BANDWIDTH_C1_L10                                      = 130
	FI_DEV_NVLINK_BANDWIDTH_C1_L11                                      = 131
	FI_DEV_NVLINK_SPEED_MBPS_L6                                         = 132
	FI_DEV_NVLINK_SPEED_MBPS_L7                                         = 133
	FI_DEV_NVLINK_SPEED_MBPS_L8                                         = 134
	FI_DEV_NVLINK_SPEED_MBPS_L9                                         = 135
	FI_DEV_NVLINK_SPEED_MBPS_L10                                        = 136
	FI_DEV_NVLINK_SPEED_MBPS_L11                                        = 137
	FI_DEV_NVLINK_THROUGHPUT_DATA_TX                                    = 138
	FI_DEV_NVLINK_THROUGHPUT_DATA_RX                                    = 139
	FI_DEV_NVLINK_THROUGHPUT_RAW_TX                                     = 140
	FI_DEV_NVLINK_THROUGHPUT_RAW_RX                                     = 141
	FI_DEV_REMAPPED_COR                                                 = 142
	FI_DEV_REMAPPED_UNC                                                 = 143
	FI_DEV_REMAPPED_PENDING                                             = 144
	FI_DEV_REMAPPED_FAILURE                                             = 145
	FI_DEV_NVLINK_REMOTE_NVLINK_ID                                      = 146
	FI_DEV_NVSWITCH_CONNECTED_LINK_COUNT                                = 147
	FI_DEV_NVLINK_ECC_DATA_ERROR_COUNT_L0                               = 148
	FI_DEV_NVLINK_ECC_DATA_ERROR_COUNT_L1                               = 149
	FI_DEV_NVLINK_ECC_DATA_ERROR_COUNT_L2                               = 150
	FI_DEV_NVLINK_ECC_DATA_ERROR_COUNT_L3                               = 151
	FI_DEV_NVLINK_ECC_DATA_ERROR_COUNT_L4                               = 152
	FI_DEV_NVLINK_ECC_DATA_ERROR_COUNT_L5                               = 153
	FI_DEV_NVLINK_ECC_DATA_ERROR_COUNT_L6                               = 154
	FI_DEV_NVLINK_ECC_DATA_ERROR_COUNT_L7                               = 155
	FI_DEV_NVLINK_ECC_DATA_ERROR_COUNT_L8                               = 156
	FI_DEV_NVLINK_ECC_DATA_ERROR_COUNT_L9                               = 157
	FI_DEV_NVLINK_ECC_DATA_ERROR_COUNT_L10                              = 158
	FI_DEV_NVLINK_ECC_DATA_ERROR_COUNT_L11                              = 159
	FI_DEV_NVLINK_ECC_DATA_ERROR_COUNT_TOTAL                            = 160
	FI_DEV_NVLINK_ERROR_DL_REPLAY                                       = 161
	FI_DEV_NVLINK_ERROR_DL_RECOVERY                                     = 162
	FI_DEV_NVLINK_ERROR_DL_CRC                                          = 163
	FI_DEV_NVLINK_GET_SPEED                                             = 164
	FI_DEV_NVLINK_GET_STATE                                             = 165
	FI_DEV_NVLINK_GET_VERSION                                           = 166
	FI_DEV_NVLINK_GET_POWER_STATE                                       = 167
	FI_DEV_NVLINK_GET_POWER_THRESHOLD                                   = 168
	FI_DEV_PCIE_L0_TO_RECOVERY_COUNTER                                  = 169
	FI_DEV_C2C_LINK_COUNT                                               = 170
	FI_DEV_C2C_LINK_GET_STATUS                                          = 171
	FI_DEV_C2C_LINK_GET_MAX_BW                                          = 172
	FI_DEV_PCIE_COUNT_CORRECTABLE_ERRORS                                = 173
	FI_DEV_PCIE_COUNT_NAKS_RECEIVED                                     = 174
	FI_DEV_PCIE_COUNT_RECEIVER_ERROR                                    = 175
	FI_DEV_PCIE_COUNT_BAD_TLP                                           = 176
	FI_DEV_PCIE_COUNT_NAKS_SENT                                         = 177
	FI_DEV_PCIE_COUNT_BAD_DLLP                                          = 178
	FI_DEV_PCIE_COUNT_NON_FATAL_ERROR                                   = 179
	FI_DEV_PCIE_COUNT_FATAL_ERROR                                       = 180
	FI_DEV_PCIE_COUNT_UNSUPPORTED_REQ                                   = 181
	FI_DEV_PCIE_COUNT_LCRC_ERROR                                        = 182
	FI_DEV_PCIE_COUNT_LANE_ERROR                                        = 183
	FI_DEV_IS_RESETLESS_MIG_SUPPORTED                                   = 184
	FI_DEV_POWER_AVERAGE                                                = 185
	FI_DEV_POWER_INSTANT                                                = 186
	FI_DEV_POWER_MIN_LIMIT                                              = 187
	FI_DEV_POWER_MAX_LIMIT                                              = 188
	FI_DEV_POWER_DEFAULT_LIMIT                                          = 189
	FI_DEV_POWER_CURRENT_LIMIT                                          = 190
	FI_DEV_ENERGY                                                       = 191
	FI_DEV_POWER_REQUESTED_LIMIT                                        = 192
	FI_DEV_TEMPERATURE_SHUTDOWN_TLIMIT                                  = 193
	FI_DEV_TEMPERATURE_SLOWDOWN_TLIMIT                                  = 194
	FI_DEV_TEMPERATURE_MEM_MAX_TLIMIT                                   = 195
	FI_DEV_TEMPERATURE_GPU_MAX_TLIMIT                                   = 196
	FI_DEV_PCIE_COUNT_TX_BYTES                                          = 197
	FI_DEV_PCIE_COUNT_RX_BYTES                                          = 198
	FI_DEV_IS_MIG_MODE_INDEPENDENT_MIG_QUERY_CAPABLE                    = 199
	FI_DEV_NVLINK_GET_POWER_THRESHOLD_MAX                               = 200
	FI_DEV_NVLINK_COUNT_XMIT_PACKETS                                    = 201
	FI_DEV_NVLINK_COUNT_XMIT_BYTES                                      = 202
	FI_DEV_NVLINK_COUNT_RCV_PACKETS                                     = 203
	FI_DEV_NVLINK_COUNT_RCV_BYTES                                       = 204
	FI_DEV_NVLINK_COUNT_VL15_DROPPED                                    = 205
	FI_DEV_NVLINK_COUNT_MALFORMED_PACKET_ERRORS                         = 206
	FI_DEV_NVLINK_COUNT_BUFFER_OVERRUN_ERRORS                           = 207
	FI_DEV_NVLINK_COUNT_RCV_ERRORS                                      = 208
	FI_DEV_NVLINK_COUNT_RCV_REMOTE_ERRORS                               = 209
	FI_DEV_NVLINK_COUNT_RCV_GENERAL_ERRORS                              = 210
	FI_DEV_NVLINK_COUNT_LOCAL_LINK_INTEGRITY_ERRORS                     = 211
	FI_DEV_NVLINK_COUNT_XMIT_DISCARDS                                   = 212
	FI_DEV_NVLINK_COUNT_LINK_RECOVERY_SUCCESSFUL_EVENTS                 = 213
	FI_DEV_NVLINK_COUNT_LINK_RECOVERY_FAILED_EVENTS                     = 214
	FI_DEV_NVLINK_COUNT_LINK_RECOVERY_EVENTS                            = 215
	FI_DEV_NVLINK_COUNT_RAW_BER_LANE0                                   = 216
	FI_DEV_NVLINK_COUNT_RAW_BER_LANE1                                   = 217
	FI_DEV_NVLINK_COUNT_RAW_BER                                         = 218
	FI_DEV_NVLINK_COUNT_EFFECTIVE_ERRORS                                = 219
	FI_DEV_NVLINK_COUNT_EFFECTIVE_BER                                   = 220
	FI_DEV_NVLINK_COUNT_SYMBOL_ERRORS                                   = 221
	FI_DEV_NVLINK_COUNT_SYMBOL_BER                                      = 222
	FI_DEV_NVLINK_GET_POWER_THRESHOLD_MIN                               = 223
	FI_DEV_NVLINK_GET_POWER_THRESHOLD_UNITS                             = 224
	FI_DEV_NVLINK_GET_POWER_THRESHOLD_SUPPORTED                         = 225
	FI_DEV_RESET_STATUS                                                 = 226
	FI_DEV_DRAIN_AND_RESET_STATUS                                       = 227
	FI_DEV_PCIE_OUTBOUND_ATOMICS_MASK                                   = 228
	FI_DEV_PCIE_INBOUND_ATOMICS_MASK                                    = 229
	FI_DEV_GET_GPU_RECOVERY_ACTION                                      = 230
	FI_DEV_C2C_LINK_ERROR_INTR                                          = 231
	FI_DEV_C2C_LINK_ERROR_REPLAY                                        = 232
	FI_DEV_C2C_LINK_ERROR_REPLAY_B2B                                    = 233
	FI_DEV_C2C_LINK_POWER_STATE                                         = 234
	FI_DEV_NVLINK_COUNT_FEC_HISTORY_0                                   = 235
	FI_DEV_NVLINK_COUNT_FEC_HISTORY_1                                   = 236
	FI_DEV_NVLINK_COUNT_FEC_HISTORY_2                                   = 237
	FI_DEV_NVLINK_COUNT_FEC_HISTORY_3                                   = 238
	FI_DEV_NVLINK_COUNT_FEC_HISTORY_4                                   = 239
	FI_DEV_NVLINK_COUNT_FEC_HISTORY_5                                   = 240
	FI_DEV_NVLINK_COUNT_FEC_HISTORY_6                                   = 241
	FI_DEV_NVLINK_COUNT_FEC_HISTORY_7                                   = 242
	FI_DEV_NVLINK_COUNT_FEC_HISTORY_8                                   = 243
	FI_DEV_NVLINK_COUNT_FEC_HISTORY_9                                   = 244
	FI_DEV_NVLINK_COUNT_FEC_HISTORY_10                                  = 245
	FI_DEV_NVLINK_COUNT_FEC_HISTORY_11                                  = 246
	FI_DEV_NVLINK_COUNT_FEC_HISTORY_12                                  = 247
	FI_DEV_NVLINK_COUNT_FEC_HISTORY_13                                  = 248
	FI_DEV_NVLINK_COUNT_FEC_HISTORY_14                                  = 249
	FI_DEV_NVLINK_COUNT_FEC_HISTORY_15                                  = 250
	FI_PWR_SMOOTHING_ENABLED                                            = 251
	FI_PWR_SMOOTHING_PRIV_LVL                                           = 252
	FI_PWR_SMOOTHING_IMM_RAMP_DOWN_ENABLED                              = 253
	FI_PWR_SMOOTHING_APPLIED_TMP_CEIL                                   = 254
	FI_PWR_SMOOTHING_APPLIED_TMP_FLOOR                                  = 255
	FI_PWR_SMOOTHING_MAX_PERCENT_TMP_FLOOR_SETTING                      = 256
	FI_PWR_SMOOTHING_MIN_PERCENT_TMP_FLOOR_SETTING                      = 257
	FI_PWR_SMOOTHING_HW_CIRCUITRY_PERCENT_LIFETIME_REMAINING            = 258
	FI_PWR_SMOOTHING_MAX_NUM_PRESET_PROFILES                            = 259
	FI_PWR_SMOOTHING_PROFILE_PERCENT_TMP_FLOOR                          = 260
	FI_PWR_SMOOTHING_PROFILE_RAMP_UP_RATE                               = 261
	FI_PWR_SMOOTHING_PROFILE_RAMP_DOWN_RATE                             = 262
	FI_PWR_SMOOTHING_PROFILE_RAMP_DOWN_HYST_VAL                         = 263
	FI_PWR_SMOOTHING_ACTIVE_PRESET_PROFILE                              = 264
	FI_PWR_SMOOTHING_ADMIN_OVERRIDE_PERCENT_TMP_FLOOR                   = 265
	FI_PWR_SMOOTHING_ADMIN_OVERRIDE_RAMP_UP_RATE                        = 266
	FI_PWR_SMOOTHING_ADMIN_OVERRIDE_RAMP_DOWN_RATE                      = 267
	FI_PWR_SMOOTHING_ADMIN_OVERRIDE_RAMP_DOWN_HYST_VAL                  = 268
	FI_DEV_CLOCKS_EVENT_REASON_SW_POWER_CAP                             = FI_DEV_PERF_POLICY_POWER
	FI_DEV_CLOCKS_EVENT_REASON_SYNC_BOOST                               = FI_DEV_PERF_POLICY_SYNC_BOOST
	FI_DEV_CLOCKS_EVENT_REASON_SW_THERM_SLOWDOWN                        = 269
	FI_DEV_CLOCKS_EVENT_REASON_HW_THERM_SLOWDOWN                        = 270
	FI_DEV_CLOCKS_EVENT_REASON_HW_POWER_BRAKE_SLOWDOWN                  = 271
	FI_DEV_POWER_SYNC_BALANCING_FREQ                                    = 272
	FI_DEV_POWER_SYNC_BALANCING_AF                                      = 273
	FI_MAX                                                              = 274
)

// Device is a nvmlDevice_t: a number, 0 for none.
type Device uint64

// Unit is a nvmlUnit_t: a number, 0 for none.
type Unit uint64

// GpuInstance is a nvmlGpuInstance_t: a number, 0 for none.
type GpuInstance uint64

// ComputeInstance is a nvmlComputeInstance_t: a number, 0 for none.
type ComputeInstance uint64

// EventSet is a nvmlEventSet_t: a number, 0 for none.
type EventSet uint64

// GpmSample is a nvmlGpmSample_t: a number, 0 for none.
type GpmSample uint64

// Return is nvmlReturn_t.
type Return uint32

// Values of a Return.
const (
	SUCCESS                         Return = 0
	ERROR_UNINITIALIZED             Return = 1
	ERROR_INVALID_ARGUMENT          Return = 2
	ERROR_NOT_SUPPORTED             Return = 3
	ERROR_NO_PERMISSION             Return = 4
	ERROR_ALREADY_INITIALIZED       Return = 5
	ERROR_NOT_FOUND                 Return = 6
	ERROR_INSUFFICIENT_SIZE         Return = 7
	ERROR_INSUFFICIENT_POWER        Return = 8
	ERROR_DRIVER_NOT_LOADED         Return = 9
	ERROR_TIMEOUT                   Return = 10
	ERROR_IRQ_ISSUE                 Return = 11
	ERROR_LIBRARY_NOT_FOUND         Return = 12
	ERROR_FUNCTION_NOT_FOUND        Return = 13
	ERROR_CORRUPTED_INFOROM         Return = 14
	ERROR_GPU_IS_LOST               Return = 15
	ERROR_RESET_REQUIRED            Return = 16
	ERROR_OPERATING_SYSTEM          Return = 17
	ERROR_LIB_RM_VERSION_MISMATCH   Return = 18
	ERROR_IN_USE                    Return = 19
	ERROR_MEMORY                    Return = 20
	ERROR_NO_DATA                   Return = 21
	ERROR_VGPU_ECC_NOT_SUPPORTED    Return = 22
	ERROR_INSUFFICIENT_RESOURCES    Return = 23
	ERROR_FREQ_NOT_SUPPORTED        Return = 24
	ERROR_ARGUMENT_VERSION_MISMATCH Return = 25
	ERROR_DEPRECATED                Return = 26
	ERROR_NOT_READY                 Return = 27
	ERROR_GPU_NOT_FOUND             Return = 28
	ERROR_INVALID_STATE             Return = 29
	ERROR_RESET_TYPE_NOT_SUPPORTED  Return = 30
	ERROR_UNKNOWN                   Return = 999
)

// VgpuTypeId is nvmlVgpuTypeId_t.
type VgpuTypeId = uint32

// VgpuInstance is nvmlVgpuInstance_t.
type VgpuInstance = uint32

// DeviceArchitecture is nvmlDeviceArchitecture_t.
type DeviceArchitecture = uint32

// BusType is nvmlBusType_t.
type BusType = uint32

// PowerSource is nvmlPowerSource_t.
type PowerSource = uint32

// AffinityScope is nvmlAffinityScope_t.
type AffinityScope = uint32

// FanControlPolicy is nvmlFanControlPolicy_t.
type FanControlPolicy = uint32

// BridgeChipType is nvmlBridgeChipType_t.
type BridgeChipType uint32

// Values of a BridgeChipType.
const (
	BRIDGE_CHIP_PLX  BridgeChipType = 0
	BRIDGE_CHIP_BRO4 BridgeChipType = 1
)

// NvLinkUtilizationCountUnits is nvmlNvLinkUtilizationCountUnits_t.
type NvLinkUtilizationCountUnits uint32

// Values of a NvLinkUtilizationCountUnits.
const (
	NVLINK_COUNTER_UNIT_CYCLES   NvLinkUtilizationCountUnits = 0
	NVLINK_COUNTER_UNIT_PACKETS  NvLinkUtilizationCountUnits = 1
	NVLINK_COUNTER_UNIT_BYTES    NvLinkUtilizationCountUnits = 2
	NVLINK_COUNTER_UNIT_RESERVED NvLinkUtilizationCountUnits = 3
	NVLINK_COUNTER_UNIT_COUNT    NvLinkUtilizationCountUnits = 4
)

// NvLinkUtilizationCountPktTypes is nvmlNvLinkUtilizationCountPktTypes_t.
type NvLinkUtilizationCountPktTypes uint32

// Values of a NvLinkUtilizationCountPktTypes.
const (
	NVLINK_COUNTER_PKTFILTER_NOP        NvLinkUtilizationCountPktTypes = 1
	NVLINK_COUNTER_PKTFILTER_READ       NvLinkUtilizationCountPktTypes = 2
	NVLINK_COUNTER_PKTFILTER_WRITE      NvLinkUtilizationCountPktTypes = 4
	NVLINK_COUNTER_PKTFILTER_RATOM      NvLinkUtilizationCountPktTypes = 8
	NVLINK_COUNTER_PKTFILTER_NRATOM     NvLinkUtilizationCountPktTypes = 16
	NVLINK_COUNTER_PKTFILTER_FLUSH      NvLinkUtilizationCountPktTypes = 32
	NVLINK_COUNTER_PKTFILTER_RESPDATA   NvLinkUtilizationCountPktTypes = 64
	NVLINK_COUNTER_PKTFILTER_RESPNODATA NvLinkUtilizationCountPktTypes = 128
	NVLINK_COUNTER_PKTFILTER_ALL        NvLinkUtilizationCountPktTypes = 255
)

// NvLinkCapability is nvmlNvLinkCapability_t.
type NvLinkCapability uint32

// Values of a NvLinkCapability.
const (
	NVLINK_CAP_P2P_SUPPORTED  NvLinkCapability = 0
	NVLINK_CAP_SYSMEM_ACCESS  NvLinkCapability = 1
	NVLINK_CAP_P2P_ATOMICS    NvLinkCapability = 2
	NVLINK_CAP_SYSMEM_ATOMICS NvLinkCapability = 3
	NVLINK_CAP_SLI_BRIDGE     NvLinkCapability = 4
	NVLINK_CAP_VALID          NvLinkCapability = 5
	NVLINK_CAP_COUNT          NvLinkCapability = 6
)

// NvLinkErrorCounter is nvmlNvLinkErrorCounter_t.
type NvLinkErrorCounter uint32

// Values of a NvLinkErrorCounter.
const (
	NVLINK_ERROR_DL_REPLAY   NvLinkErrorCounter = 0
	NVLINK_ERROR_DL_RECOVERY NvLinkErrorCounter = 1
	NVLINK_ERROR_DL_CRC_FLIT NvLinkErrorCounter = 2
	NVLINK_ERROR_DL_CRC_DATA NvLinkErrorCounter = 3
	NVLINK_ERROR_DL_ECC_DATA NvLinkErrorCounter = 4
	NVLINK_ERROR_COUNT       NvLinkErrorCounter = 5
)

// IntNvLinkDeviceType is nvmlIntNvLinkDeviceType_t.
type IntNvLinkDeviceType uint32

// Values of a IntNvLinkDeviceType.
const (
	NVLINK_DEVICE_TYPE_GPU     IntNvLinkDeviceType = 0
	NVLINK_DEVICE_TYPE_IBMNPU  IntNvLinkDeviceType = 1
	NVLINK_DEVICE_TYPE_SWITCH  IntNvLinkDeviceType = 2
	NVLINK_DEVICE_TYPE_UNKNOWN IntNvLinkDeviceType = 255
)

// GpuTopologyLevel is nvmlGpuTopologyLevel_t.
type GpuTopologyLevel uint32

// Values of a GpuTopologyLevel.
const (
	TOPOLOGY_INTERNAL   GpuTopologyLevel = 0
	TOPOLOGY_SINGLE     GpuTopologyLevel = 10
	TOPOLOGY_MULTIPLE   GpuTopologyLevel = 20
	TOPOLOGY_HOSTBRIDGE GpuTopologyLevel = 30
	TOPOLOGY_NODE       GpuTopologyLevel = 40
	TOPOLOGY_SYSTEM     GpuTopologyLevel = 50
)

// GpuP2PStatus is nvmlGpuP2PStatus_t.
type GpuP2PStatus uint32

// Values of a GpuP2PStatus.
const (
	P2P_STATUS_OK                         GpuP2PStatus = 0
	P2P_STATUS_CHIPSET_NOT_SUPPORED       GpuP2PStatus = 1
	P2P_STATUS_GPU_NOT_SUPPORTED          GpuP2PStatus = 2
	P2P_STATUS_IOH_TOPOLOGY_NOT_SUPPORTED GpuP2PStatus = 3
	P2P_STATUS_DISABLED_BY_REGKEY         GpuP2PStatus = 4
	P2P_STATUS_NOT_SUPPORTED              GpuP2PStatus = 5
	P2P_STATUS_UNKNOWN                    GpuP2PStatus = 6
)

// GpuP2PCapsIndex is nvmlGpuP2PCapsIndex_t.
type GpuP2PCapsIndex uint32

// Values of a GpuP2PCapsIndex.
const (
	P2P_CAPS_INDEX_READ    GpuP2PCapsIndex = 0
	P2P_CAPS_INDEX_WRITE   GpuP2PCapsIndex = 1
	P2P_CAPS_INDEX_NVLINK  GpuP2PCapsIndex = 2
	P2P_CAPS_INDEX_ATOMICS GpuP2PCapsIndex = 3
	P2P_CAPS_INDEX_PROP    GpuP2PCapsIndex = 4
	P2P_CAPS_INDEX_UNKNOWN GpuP2PCapsIndex = 5
)

// SamplingType is nvmlSamplingType_t.
type SamplingType uint32

// Values of a SamplingType.
const (
	TOTAL_POWER_SAMPLES        SamplingType = 0
	GPU_UTILIZATION_SAMPLES    SamplingType = 1
	MEMORY_UTILIZATION_SAMPLES SamplingType = 2
	ENC_UTILIZATION_SAMPLES    SamplingType = 3
	DEC_UTILIZATION_SAMPLES    SamplingType = 4
	PROCESSOR_CLK_SAMPLES      SamplingType = 5
	MEMORY_CLK_SAMPLES         SamplingType = 6
	MODULE_POWER_SAMPLES       SamplingType = 7
	JPG_UTILIZATION_SAMPLES    SamplingType = 8
	OFA_UTILIZATION_SAMPLES    SamplingType = 9
	SAMPLINGTYPE_COUNT         SamplingType = 10
)

// PcieUtilCounter is nvmlPcieUtilCounter_t.
type PcieUtilCounter uint32

// Values of a PcieUtilCounter.
const (
	PCIE_UTIL_TX_BYTES PcieUtilCounter = 0
	PCIE_UTIL_RX_BYTES PcieUtilCounter = 1
	PCIE_UTIL_COUNT    PcieUtilCounter = 2
)

// ValueType is nvmlValueType_t.
type ValueType uint32

// Values of a ValueType.
const (
	VALUE_TYPE_DOUBLE             ValueType = 0
	VALUE_TYPE_UNSIGNED_INT       ValueType = 1
	VALUE_TYPE_UNSIGNED_LONG      ValueType = 2
	VALUE_TYPE_UNSIGNED_LONG_LONG ValueType = 3
	VALUE_TYPE_SIGNED_LONG_LONG   ValueType = 4
	VALUE_TYPE_SIGNED_INT         ValueType = 5
	VALUE_TYPE_UNSIGNED_SHORT     ValueType = 6
	VALUE_TYPE_COUNT              ValueType = 7
)

// PerfPolicyType is nvmlPerfPolicyType_t.
type PerfPolicyType uint32

// Values of a PerfPolicyType.
const (
	PERF_POLICY_POWER             PerfPolicyType = 0
	PERF_POLICY_THERMAL           PerfPolicyType = 1
	PERF_POLICY_SYNC_BOOST        PerfPolicyType = 2
	PERF_POLICY_BOARD_LIMIT       PerfPolicyType = 3
	PERF_POLICY_LOW_UTILIZATION   PerfPolicyType = 4
	PERF_POLICY_RELIABILITY       PerfPolicyType = 5
	PERF_POLICY_TOTAL_APP_CLOCKS  PerfPolicyType = 10
	PERF_POLICY_TOTAL_BASE_CLOCKS PerfPolicyType = 11
	PERF_POLICY_COUNT             PerfPolicyType = 12
)

// ThermalTarget is nvmlThermalTarget_t.
type ThermalTarget int32

// Values of a ThermalTarget.
const (
	THERMAL_TARGET_NONE         ThermalTarget = 0
	THERMAL_TARGET_GPU          ThermalTarget = 1
	THERMAL_TARGET_MEMORY       ThermalTarget = 2
	THERMAL_TARGET_POWER_SUPPLY ThermalTarget = 4
	THERMAL_TARGET_BOARD        ThermalTarget = 8
	THERMAL_TARGET_VCD_BOARD    ThermalTarget = 9
	THERMAL_TARGET_VCD_INLET    ThermalTarget = 10
	THERMAL_TARGET_VCD_OUTLET   ThermalTarget = 11
	THERMAL_TARGET_ALL          ThermalTarget = 15
	THERMAL_TARGET_UNKNOWN      ThermalTarget = -1
)

// ThermalController is nvmlThermalController_t.
type ThermalController int32

// Values of a ThermalController.
const (
	THERMAL_CONTROLLER_NONE            ThermalController = 0
	THERMAL_CONTROLLER_GPU_INTERNAL    ThermalController = 1
	THERMAL_CONTROLLER_ADM1032         ThermalController = 2
	THERMAL_CONTROLLER_ADT7461         ThermalController = 3
	THERMAL_CONTROLLER_MAX6649         ThermalController = 4
	THERMAL_CONTROLLER_MAX1617         ThermalController = 5
	THERMAL_CONTROLLER_LM99            ThermalController = 6
	THERMAL_CONTROLLER_LM89            ThermalController = 7
	THERMAL_CONTROLLER_LM64            ThermalController = 8
	THERMAL_CONTROLLER_G781            ThermalController = 9
	THERMAL_CONTROLLER_ADT7473         ThermalController = 10
	THERMAL_CONTROLLER_SBMAX6649       ThermalController = 11
	THERMAL_CONTROLLER_VBIOSEVT        ThermalController = 12
	THERMAL_CONTROLLER_OS              ThermalController = 13
	THERMAL_CONTROLLER_NVSYSCON_CANOAS ThermalController = 14
	THERMAL_CONTROLLER_NVSYSCON_E551   ThermalController = 15
	THERMAL_CONTROLLER_MAX6649R        ThermalController = 16
	THERMAL_CONTROLLER_ADT7473S        ThermalController = 17
	THERMAL_CONTROLLER_UNKNOWN         ThermalController = -1
)

// EnableState is nvmlEnableState_t.
type EnableState uint32

// Values of a EnableState.
const (
	FEATURE_DISABLED EnableState = 0
	FEATURE_ENABLED  EnableState = 1
)

// BrandType is nvmlBrandType_t.
type BrandType uint32

// Values of a BrandType.
const (
	BRAND_UNKNOWN             BrandType = 0
	BRAND_QUADRO              BrandType = 1
	BRAND_TESLA               BrandType = 2
	BRAND_NVS                 BrandType = 3
	BRAND_GRID                BrandType = 4
	BRAND_GEFORCE             BrandType = 5
	BRAND_TITAN               BrandType = 6
	BRAND_NVIDIA_VAPPS        BrandType = 7
	BRAND_NVIDIA_VPC          BrandType = 8
	BRAND_NVIDIA_VCS          BrandType = 9
	BRAND_NVIDIA_VWS          BrandType = 10
	BRAND_NVIDIA_CLOUD_GAMING BrandType = 11
	BRAND_NVIDIA_VGAMING      BrandType = 11
	BRAND_QUADRO_RTX          BrandType = 12
	BRAND_NVIDIA_RTX          BrandType = 13
	BRAND_NVIDIA              BrandType = 14
	BRAND_GEFORCE_RTX         BrandType = 15
	BRAND_TITAN_RTX           BrandType = 16
	BRAND_COUNT               BrandType = 18
)

// TemperatureThresholds is nvmlTemperatureThresholds_t.
type TemperatureThresholds uint32

// Values of a TemperatureThresholds.
const (
	TEMPERATURE_THRESHOLD_SHUTDOWN      TemperatureThresholds = 0
	TEMPERATURE_THRESHOLD_SLOWDOWN      TemperatureThresholds = 1
	TEMPERATURE_THRESHOLD_MEM_MAX       TemperatureThresholds = 2
	TEMPERATURE_THRESHOLD_GPU_MAX       TemperatureThresholds = 3
	TEMPERATURE_THRESHOLD_ACOUSTIC_MIN  TemperatureThresholds = 4
	TEMPERATURE_THRESHOLD_ACOUSTIC_CURR TemperatureThresholds = 5
	TEMPERATURE_THRESHOLD_ACOUSTIC_MAX  TemperatureThresholds = 6
	TEMPERATURE_THRESHOLD_GPS_CURR      TemperatureThresholds = 7
	TEMPERATURE_THRESHOLD_COUNT         TemperatureThresholds = 8
)

// TemperatureSensors is nvmlTemperatureSensors_t.
type TemperatureSensors uint32

// Values of a TemperatureSensors.
const (
	TEMPERATURE_GPU   TemperatureSensors = 0
	TEMPERATURE_COUNT TemperatureSensors = 1
)

// ComputeMode is nvmlComputeMode_t.
type ComputeMode uint32

// Values of a ComputeMode.
const (
	COMPUTEMODE_DEFAULT           ComputeMode = 0
	COMPUTEMODE_EXCLUSIVE_THREAD  ComputeMode = 1
	COMPUTEMODE_PROHIBITED        ComputeMode = 2
	COMPUTEMODE_EXCLUSIVE_PROCESS ComputeMode = 3
	COMPUTEMODE_COUNT             ComputeMode = 4
)

// MemoryErrorType is nvmlMemoryErrorType_t.
type MemoryErrorType uint32

// Values of a MemoryErrorType.
const (
	MEMORY_ERROR_TYPE_CORRECTED   MemoryErrorType = 0
	MEMORY_ERROR_TYPE_UNCORRECTED MemoryErrorType = 1
	MEMORY_ERROR_TYPE_COUNT       MemoryErrorType = 2
)

// EccCounterType is nvmlEccCounterType_t.
type EccCounterType uint32

// Values of a EccCounterType.
const (
	VOLATILE_ECC           EccCounterType = 0
	AGGREGATE_ECC          EccCounterType = 1
	ECC_COUNTER_TYPE_COUNT EccCounterType = 2
)

// ClockType is nvmlClockType_t.
type ClockType uint32

// Values of a ClockType.
const (
	CLOCK_GRAPHICS ClockType = 0
	CLOCK_SM       ClockType = 1
	CLOCK_MEM      ClockType = 2
	CLOCK_VIDEO    ClockType = 3
	CLOCK_COUNT    ClockType = 4
)

// ClockId is nvmlClockId_t.
type ClockId uint32

// Values of a ClockId.
const (
	CLOCK_ID_CURRENT            ClockId = 0
	CLOCK_ID_APP_CLOCK_TARGET   ClockId = 1
	CLOCK_ID_APP_CLOCK_DEFAULT  ClockId = 2
	CLOCK_ID_CUSTOMER_BOOST_MAX ClockId = 3
	CLOCK_ID_COUNT              ClockId = 4
)

// DriverModel is nvmlDriverModel_t.
type DriverModel uint32

// Values of a DriverModel.
const (
	DRIVER_WDDM DriverModel = 0
	DRIVER_WDM  DriverModel = 1
	DRIVER_MCDM DriverModel = 2
)

// Pstates is nvmlPstates_t.
type Pstates uint32

// Values of a Pstates.
const (
	PSTATE_0       Pstates = 0
	PSTATE_1       Pstates = 1
	PSTATE_2       Pstates = 2
	PSTATE_3       Pstates = 3
	PSTATE_4       Pstates = 4
	PSTATE_5       Pstates = 5
	PSTATE_6       Pstates = 6
	PSTATE_7       Pstates = 7
	PSTATE_8       Pstates = 8
	PSTATE_9       Pstates = 9
	PSTATE_10      Pstates = 10
	PSTATE_11      Pstates = 11
	PSTATE_12      Pstates = 12
	PSTATE_13      Pstates = 13
	PSTATE_14      Pstates = 14
	PSTATE_15      Pstates = 15
	PSTATE_UNKNOWN Pstates = 32
)

// GpuOperationMode is nvmlGpuOperationMode_t.
type GpuOperationMode uint32

// Values of a GpuOperationMode.
const (
	GOM_ALL_ON  GpuOperationMode = 0
	GOM_COMPUTE GpuOperationMode = 1
	GOM_LOW_DP  GpuOperationMode = 2
)

// InforomObject is nvmlInforomObject_t.
type InforomObject uint32

// Values of a InforomObject.
const (
	INFOROM_OEM   InforomObject = 0
	INFOROM_ECC   InforomObject = 1
	INFOROM_POWER InforomObject = 2
	INFOROM_DEN   InforomObject = 3
	INFOROM_COUNT InforomObject = 4
)

// MemoryLocation is nvmlMemoryLocation_t.
type MemoryLocation uint32

// Values of a MemoryLocation.
const (
	MEMORY_LOCATION_L1_CACHE       MemoryLocation = 0
	MEMORY_LOCATION_L2_CACHE       MemoryLocation = 1
	MEMORY_LOCATION_DRAM           MemoryLocation = 2
	MEMORY_LOCATION_DEVICE_MEMORY  MemoryLocation = 2
	MEMORY_LOCATION_REGISTER_FILE  MemoryLocation = 3
	MEMORY_LOCATION_TEXTURE_MEMORY MemoryLocation = 4
	MEMORY_LOCATION_TEXTURE_SHM    MemoryLocation = 5
	MEMORY_LOCATION_CBU            MemoryLocation = 6
	MEMORY_LOCATION_SRAM           MemoryLocation = 7
	MEMORY_LOCATION_COUNT          MemoryLocation = 8
)

// PageRetirementCause is nvmlPageRetirementCause_t.
type PageRetirementCause uint32

// Values of a PageRetirementCause.
const (
	PAGE_RETIREMENT_CAUSE_MULTIPLE_SINGLE_BIT_ECC_ERRORS PageRetirementCause = 0
	PAGE_RETIREMENT_CAUSE_DOUBLE_BIT_ECC_ERROR           PageRetirementCause = 1
	PAGE_RETIREMENT_CAUSE_COUNT                          PageRetirementCause = 2
)

// RestrictedAPI is nvmlRestrictedAPI_t.
type RestrictedAPI uint32

// Values of a RestrictedAPI.
const (
	RESTRICTED_API_SET_APPLICATION_CLOCKS  RestrictedAPI = 0
	RESTRICTED_API_SET_AUTO_BOOSTED_CLOCKS RestrictedAPI = 1
	RESTRICTED_API_COUNT                   RestrictedAPI = 2
)

// GpuVirtualizationMode is nvmlGpuVirtualizationMode_t.
type GpuVirtualizationMode uint32

// Values of a GpuVirtualizationMode.
const (
	GPU_VIRTUALIZATION_MODE_NONE        GpuVirtualizationMode = 0
	GPU_VIRTUALIZATION_MODE_PASSTHROUGH GpuVirtualizationMode = 1
	GPU_VIRTUALIZATION_MODE_VGPU        GpuVirtualizationMode = 2
	GPU_VIRTUALIZATION_MODE_HOST_VGPU   GpuVirtualizationMode = 3
	GPU_VIRTUALIZATION_MODE_HOST_VSGA   GpuVirtualizationMode = 4
)

// HostVgpuMode is nvmlHostVgpuMode_t.
type HostVgpuMode uint32

// Values of a HostVgpuMode.
const (
	HOST_VGPU_MODE_NON_SRIOV HostVgpuMode = 0
	HOST_VGPU_MODE_SRIOV     HostVgpuMode = 1
)

// VgpuVmIdType is nvmlVgpuVmIdType_t.
type VgpuVmIdType uint32

// Values of a VgpuVmIdType.
const (
	VGPU_VM_ID_DOMAIN_ID VgpuVmIdType = 0
	VGPU_VM_ID_UUID      VgpuVmIdType = 1
)

// VgpuGuestInfoState is nvmlVgpuGuestInfoState_t.
type VgpuGuestInfoState uint32

// Values of a VgpuGuestInfoState.
const (
	VGPU_INSTANCE_GUEST_INFO_STATE_UNINITIALIZED VgpuGuestInfoState = 0
	VGPU_INSTANCE_GUEST_INFO_STATE_INITIALIZED   VgpuGuestInfoState = 1
)

// GridLicenseFeatureCode is nvmlGridLicenseFeatureCode_t.
type GridLicenseFeatureCode uint32

// Values of a GridLicenseFeatureCode.
const (
	GRID_LICENSE_FEATURE_CODE_UNKNOWN      GridLicenseFeatureCode = 0
	GRID_LICENSE_FEATURE_CODE_VGPU         GridLicenseFeatureCode = 1
	GRID_LICENSE_FEATURE_CODE_NVIDIA_RTX   GridLicenseFeatureCode = 2
	GRID_LICENSE_FEATURE_CODE_VWORKSTATION GridLicenseFeatureCode = 2
	GRID_LICENSE_FEATURE_CODE_GAMING       GridLicenseFeatureCode = 3
	GRID_LICENSE_FEATURE_CODE_COMPUTE      GridLicenseFeatureCode = 4
)

// VgpuCapability is nvmlVgpuCapability_t.
type VgpuCapability uint32

// Values of a VgpuCapability.
const (
	VGPU_CAP_NVLINK_P2P           VgpuCapability = 0
	VGPU_CAP_GPUDIRECT            VgpuCapability = 1
	VGPU_CAP_MULTI_VGPU_EXCLUSIVE VgpuCapability = 2
	VGPU_CAP_EXCLUSIVE_TYPE       VgpuCapability = 3
	VGPU_CAP_EXCLUSIVE_SIZE       VgpuCapability = 4
	VGPU_CAP_COUNT                VgpuCapability = 5
)

// GpuUtilizationDomainId is nvmlGpuUtilizationDomainId_t.
type GpuUtilizationDomainId uint32

// Values of a GpuUtilizationDomainId.
const (
	GPU_UTILIZATION_DOMAIN_GPU GpuUtilizationDomainId = 0
	GPU_UTILIZATION_DOMAIN_FB  GpuUtilizationDomainId = 1
	GPU_UTILIZATION_DOMAIN_VID GpuUtilizationDomainId = 2
	GPU_UTILIZATION_DOMAIN_BUS GpuUtilizationDomainId = 3
)

// FanState is nvmlFanState_t.
type FanState uint32

// Values of a FanState.
const (
	FAN_NORMAL FanState = 0
	FAN_FAILED FanState = 1
)

// LedColor is nvmlLedColor_t.
type LedColor uint32

// Values of a LedColor.
const (
	LED_COLOR_GREEN LedColor = 0
	LED_COLOR_AMBER LedColor = 1
)

// EncoderType is nvmlEncoderType_t.
type EncoderType uint32

// Values of a EncoderType.
const (
	ENCODER_QUERY_H264    EncoderType = 0
	ENCODER_QUERY_HEVC    EncoderType = 1
	ENCODER_QUERY_AV1     EncoderType = 2
	ENCODER_QUERY_UNKNOWN EncoderType = 255
)

// FBCSessionType is nvmlFBCSessionType_t.
type FBCSessionType uint32

// Values of a FBCSessionType.
const (
	FBC_SESSION_TYPE_UNKNOWN FBCSessionType = 0
	FBC_SESSION_TYPE_TOSYS   FBCSessionType = 1
	FBC_SESSION_TYPE_CUDA    FBCSessionType = 2
	FBC_SESSION_TYPE_VID     FBCSessionType = 3
	FBC_SESSION_TYPE_HWENC   FBCSessionType = 4
)

// DetachGpuState is nvmlDetachGpuState_t.
type DetachGpuState uint32

// Values of a DetachGpuState.
const (
	DETACH_GPU_KEEP   DetachGpuState = 0
	DETACH_GPU_REMOVE DetachGpuState = 1
)

// PcieLinkState is nvmlPcieLinkState_t.
type PcieLinkState uint32

// Values of a PcieLinkState.
const (
	PCIE_LINK_KEEP      PcieLinkState = 0
	PCIE_LINK_SHUT_DOWN PcieLinkState = 1
)

// ClockLimitId is nvmlClockLimitId_t.
type ClockLimitId uint32

// Values of a ClockLimitId.
const (
	CLOCK_LIMIT_ID_RANGE_START ClockLimitId = 0xffffff00
	CLOCK_LIMIT_ID_TDP         ClockLimitId = 0xffffff01
	CLOCK_LIMIT_ID_UNLIMITED   ClockLimitId = 0xffffff02
)

// VgpuVmCompatibility is nvmlVgpuVmCompatibility_t.
type VgpuVmCompatibility uint32

// Values of a VgpuVmCompatibility.
const (
	VGPU_VM_COMPATIBILITY_NONE      VgpuVmCompatibility = 0
	VGPU_VM_COMPATIBILITY_COLD      VgpuVmCompatibility = 1
	VGPU_VM_COMPATIBILITY_HIBERNATE VgpuVmCompatibility = 2
	VGPU_VM_COMPATIBILITY_SLEEP     VgpuVmCompatibility = 4
	VGPU_VM_COMPATIBILITY_LIVE      VgpuVmCompatibility = 8
)

// VgpuPgpuCompatibilityLimitCode is nvmlVgpuPgpuCompatibilityLimitCode_t.
type VgpuPgpuCompatibilityLimitCode uint32

// Values of a VgpuPgpuCompatibilityLimitCode.
const (
	VGPU_COMPATIBILITY_LIMIT_NONE         VgpuPgpuCompatibilityLimitCode = 0
	VGPU_COMPATIBILITY_LIMIT_HOST_DRIVER  VgpuPgpuCompatibilityLimitCode = 1
	VGPU_COMPATIBILITY_LIMIT_GUEST_DRIVER VgpuPgpuCompatibilityLimitCode = 2
	VGPU_COMPATIBILITY_LIMIT_GPU          VgpuPgpuCompatibilityLimitCode = 4
	VGPU_COMPATIBILITY_LIMIT_OTHER        VgpuPgpuCompatibilityLimitCode = 0x80000000
)

// UUIDType is nvmlUUIDType_t.
type UUIDType uint32

// Values of a UUIDType.
const (
	UUID_TYPE_NONE   UUIDType = 0
	UUID_TYPE_ASCII  UUIDType = 1
	UUID_TYPE_BINARY UUIDType = 2
)

// CoolerControl is nvmlCoolerControl_t.
type CoolerControl uint32

// Values of a CoolerControl.
const (
	THERMAL_COOLER_SIGNAL_NONE     CoolerControl = 0
	THERMAL_COOLER_SIGNAL_TOGGLE   CoolerControl = 1
	THERMAL_COOLER_SIGNAL_VARIABLE CoolerControl = 2
	THERMAL_COOLER_SIGNAL_COUNT    CoolerControl = 3
)

// CoolerTarget is nvmlCoolerTarget_t.
type CoolerTarget uint32

// Values of a CoolerTarget.
const (
	THERMAL_COOLER_TARGET_NONE         CoolerTarget = 1
	THERMAL_COOLER_TARGET_GPU          CoolerTarget = 2
	THERMAL_COOLER_TARGET_MEMORY       CoolerTarget = 4
	THERMAL_COOLER_TARGET_POWER_SUPPLY CoolerTarget = 8
	THERMAL_COOLER_TARGET_GPU_RELATED  CoolerTarget = 14
)

// VgpuDriverCapability is nvmlVgpuDriverCapability_t.
type VgpuDriverCapability uint32

// Values of a VgpuDriverCapability.
const (
	VGPU_DRIVER_CAP_HETEROGENEOUS_MULTI_VGPU VgpuDriverCapability = 0
	VGPU_DRIVER_CAP_WARM_UPDATE              VgpuDriverCapability = 1
	VGPU_DRIVER_CAP_COUNT                    VgpuDriverCapability = 2
)

// DeviceVgpuCapability is nvmlDeviceVgpuCapability_t.
type DeviceVgpuCapability uint32

// Values of a DeviceVgpuCapability.
const (
	DEVICE_VGPU_CAP_FRACTIONAL_MULTI_VGPU            DeviceVgpuCapability = 0
	DEVICE_VGPU_CAP_HETEROGENEOUS_TIMESLICE_PROFILES DeviceVgpuCapability = 1
	DEVICE_VGPU_CAP_HETEROGENEOUS_TIMESLICE_SIZES    DeviceVgpuCapability = 2
	DEVICE_VGPU_CAP_READ_DEVICE_BUFFER_BW            DeviceVgpuCapability = 3
	DEVICE_VGPU_CAP_WRITE_DEVICE_BUFFER_BW           DeviceVgpuCapability = 4
	DEVICE_VGPU_CAP_DEVICE_STREAMING                 DeviceVgpuCapability = 5
	DEVICE_VGPU_CAP_MINI_QUARTER_GPU                 DeviceVgpuCapability = 6
	DEVICE_VGPU_CAP_COMPUTE_MEDIA_ENGINE_GPU         DeviceVgpuCapability = 7
	DEVICE_VGPU_CAP_WARM_UPDATE                      DeviceVgpuCapability = 8
	DEVICE_VGPU_CAP_HOMOGENEOUS_PLACEMENTS           DeviceVgpuCapability = 9
	DEVICE_VGPU_CAP_MIG_TIMESLICING_SUPPORTED        DeviceVgpuCapability = 10
	DEVICE_VGPU_CAP_MIG_TIMESLICING_ENABLED          DeviceVgpuCapability = 11
	DEVICE_VGPU_CAP_COUNT                            DeviceVgpuCapability = 12
)

// DeviceGpuRecoveryAction is nvmlDeviceGpuRecoveryAction_t.
type DeviceGpuRecoveryAction uint32

// Values of a DeviceGpuRecoveryAction.
const (
	GPU_RECOVERY_ACTION_NONE            DeviceGpuRecoveryAction = 0
	GPU_RECOVERY_ACTION_GPU_RESET       DeviceGpuRecoveryAction = 1
	GPU_RECOVERY_ACTION_NODE_REBOOT     DeviceGpuRecoveryAction = 2
	GPU_RECOVERY_ACTION_DRAIN_P2P       DeviceGpuRecoveryAction = 3
	GPU_RECOVERY_ACTION_DRAIN_AND_RESET DeviceGpuRecoveryAction = 4
)

// GpmMetricId is nvmlGpmMetricId_t.
type GpmMetricId uint32

// Values of a GpmMetricId.
const (
	GPM_METRIC_GRAPHICS_UTIL               GpmMetricId = 1
	GPM_METRIC_SM_UTIL                     GpmMetricId = 2
	GPM_METRIC_SM_OCCUPANCY                GpmMetricId = 3
	GPM_METRIC_INTEGER_UTIL                GpmMetricId = 4
	GPM_METRIC_ANY_TENSOR_UTIL             GpmMetricId = 5
	GPM_METRIC_DFMA_TENSOR_UTIL            GpmMetricId = 6
	GPM_METRIC_HMMA_TENSOR_UTIL            GpmMetricId = 7
	GPM_METRIC_IMMA_TENSOR_UTIL            GpmMetricId = 9
	GPM_METRIC_DRAM_BW_UTIL                GpmMetricId = 10
	GPM_METRIC_FP64_UTIL                   GpmMetricId = 11
	GPM_METRIC_FP32_UTIL                   GpmMetricId = 12
	GPM_METRIC_FP16_UTIL                   GpmMetricId = 13
	GPM_METRIC_PCIE_TX_PER_SEC             GpmMetricId = 20
	GPM_METRIC_PCIE_RX_PER_SEC             GpmMetricId = 21
	GPM_METRIC_NVDEC_0_UTIL                GpmMetricId = 30
	GPM_METRIC_NVDEC_1_UTIL                GpmMetricId = 31
	GPM_METRIC_NVDEC_2_UTIL                GpmMetricId = 32
	GPM_METRIC_NVDEC_3_UTIL                GpmMetricId = 33
	GPM_METRIC_NVDEC_4_UTIL                GpmMetricId = 34
	GPM_METRIC_NVDEC_5_UTIL                GpmMetricId = 35
	GPM_METRIC_NVDEC_6_UTIL                GpmMetricId = 36
	GPM_METRIC_NVDEC_7_UTIL                GpmMetricId = 37
	GPM_METRIC_NVJPG_0_UTIL                GpmMetricId = 40
	GPM_METRIC_NVJPG_1_UTIL                GpmMetricId = 41
	GPM_METRIC_NVJPG_2_UTIL                GpmMetricId = 42
	GPM_METRIC_NVJPG_3_UTIL                GpmMetricId = 43
	GPM_METRIC_NVJPG_4_UTIL                GpmMetricId = 44
	GPM_METRIC_NVJPG_5_UTIL                GpmMetricId = 45
	GPM_METRIC_NVJPG_6_UTIL                GpmMetricId = 46
	GPM_METRIC_NVJPG_7_UTIL                GpmMetricId = 47
	GPM_METRIC_NVOFA_0_UTIL                GpmMetricId = 50
	GPM_METRIC_NVOFA_1_UTIL                GpmMetricId = 51
	GPM_METRIC_NVLINK_TOTAL_RX_PER_SEC     GpmMetricId = 60
	GPM_METRIC_NVLINK_TOTAL_TX_PER_SEC     GpmMetricId = 61
	GPM_METRIC_NVLINK_L0_RX_PER_SEC        GpmMetricId = 62
	GPM_METRIC_NVLINK_L0_TX_PER_SEC        GpmMetricId = 63
	GPM_METRIC_NVLINK_L1_RX_PER_SEC        GpmMetricId = 64
	GPM_METRIC_NVLINK_L1_TX_PER_SEC        GpmMetricId = 65
	GPM_METRIC_NVLINK_L2_RX_PER_SEC        GpmMetricId = 66
	GPM_METRIC_NVLINK_L2_TX_PER_SEC        GpmMetricId = 67
	GPM_METRIC_NVLINK_L3_RX_PER_SEC        GpmMetricId = 68
	GPM_METRIC_NVLINK_L3_TX_PER_SEC        GpmMetricId = 69
	GPM_METRIC_NVLINK_L4_RX_PER_SEC        GpmMetricId = 70
	GPM_METRIC_NVLINK_L4_TX_PER_SEC        GpmMetricId = 71
	GPM_METRIC_NVLINK_L5_RX_PER_SEC        GpmMetricId = 72
	GPM_METRIC_NVLINK_L5_TX_PER_SEC        GpmMetricId = 73
	GPM_METRIC_NVLINK_L6_RX_PER_SEC        GpmMetricId = 74
	GPM_METRIC_NVLINK_L6_TX_PER_SEC        GpmMetricId = 75
	GPM_METRIC_NVLINK_L7_RX_PER_SEC        GpmMetricId = 76
	GPM_METRIC_NVLINK_L7_TX_PER_SEC        GpmMetricId = 77
	GPM_METRIC_NVLINK_L8_RX_PER_SEC        GpmMetricId = 78
	GPM_METRIC_NVLINK_L8_TX_PER_SEC        GpmMetricId = 79
	GPM_METRIC_NVLINK_L9_RX_PER_SEC        GpmMetricId = 80
	GPM_METRIC_NVLINK_L9_TX_PER_SEC        GpmMetricId = 81
	GPM_METRIC_NVLINK_L10_RX_PER_SEC       GpmMetricId = 82
	GPM_METRIC_NVLINK_L10_TX_PER_SEC       GpmMetricId = 83
	GPM_METRIC_NVLINK_L11_RX_PER_SEC       GpmMetricId = 84
	GPM_METRIC_NVLINK_L11_TX_PER_SEC       GpmMetricId = 85
	GPM_METRIC_NVLINK_L12_RX_PER_SEC       GpmMetricId = 86
	GPM_METRIC_NVLINK_L12_TX_PER_SEC       GpmMetricId = 87
	GPM_METRIC_NVLINK_L13_RX_PER_SEC       GpmMetricId = 88
	GPM_METRIC_NVLINK_L13_TX_PER_SEC       GpmMetricId = 89
	GPM_METRIC_NVLINK_L14_RX_PER_SEC       GpmMetricId = 90
	GPM_METRIC_NVLINK_L14_TX_PER_SEC       GpmMetricId = 91
	GPM_METRIC_NVLINK_L15_RX_PER_SEC       GpmMetricId = 92
	GPM_METRIC_NVLINK_L15_TX_PER_SEC       GpmMetricId = 93
	GPM_METRIC_NVLINK_L16_RX_PER_SEC       GpmMetricId = 94
	GPM_METRIC_NVLINK_L16_TX_PER_SEC       GpmMetricId = 95
	GPM_METRIC_NVLINK_L17_RX_PER_SEC       GpmMetricId = 96
	GPM_METRIC_NVLINK_L17_TX_PER_SEC       GpmMetricId = 97
	GPM_METRIC_C2C_TOTAL_TX_PER_SEC        GpmMetricId = 100
	GPM_METRIC_C2C_TOTAL_RX_PER_SEC        GpmMetricId = 101
	GPM_METRIC_C2C_DATA_TX_PER_SEC         GpmMetricId = 102
	GPM_METRIC_C2C_DATA_RX_PER_SEC         GpmMetricId = 103
	GPM_METRIC_C2C_LINK0_TOTAL_TX_PER_SEC  GpmMetricId = 104
	GPM_METRIC_C2C_LINK0_TOTAL_RX_PER_SEC  GpmMetricId = 105
	GPM_METRIC_C2C_LINK0_DATA_TX_PER_SEC   GpmMetricId = 106
	GPM_METRIC_C2C_LINK0_DATA_RX_PER_SEC   GpmMetricId = 107
	GPM_METRIC_C2C_LINK1_TOTAL_TX_PER_SEC  GpmMetricId = 108
	GPM_METRIC_C2C_LINK1_TOTAL_RX_PER_SEC  GpmMetricId = 109
	GPM_METRIC_C2C_LINK1_DATA_TX_PER_SEC   GpmMetricId = 110
	GPM_METRIC_C2C_LINK1_DATA_RX_PER_SEC   GpmMetricId = 111
	GPM_METRIC_C2C_LINK2_TOTAL_TX_PER_SEC  GpmMetricId = 112
	GPM_METRIC_C2C_LINK2_TOTAL_RX_PER_SEC  GpmMetricId = 113
	GPM_METRIC_C2C_LINK2_DATA_TX_PER_SEC   GpmMetricId = 114
	GPM_METRIC_C2C_LINK2_DATA_RX_PER_SEC   GpmMetricId = 115
	GPM_METRIC_C2C_LINK3_TOTAL_TX_PER_SEC  GpmMetricId = 116
	GPM_METRIC_C2C_LINK3_TOTAL_RX_PER_SEC  GpmMetricId = 117
	GPM_METRIC_C2C_LINK3_DATA_TX_PER_SEC   GpmMetricId = 118
	GPM_METRIC_C2C_LINK3_DATA_RX_PER_SEC   GpmMetricId = 119
	GPM_METRIC_C2C_LINK4_TOTAL_TX_PER_SEC  GpmMetricId = 120
	GPM_METRIC_C2C_LINK4_TOTAL_RX_PER_SEC  GpmMetricId = 121
	GPM_METRIC_C2C_LINK4_DATA_TX_PER_SEC   GpmMetricId = 122
	GPM_METRIC_C2C_LINK4_DATA_RX_PER_SEC   GpmMetricId = 123
	GPM_METRIC_C2C_LINK5_TOTAL_TX_PER_SEC  GpmMetricId = 124
	GPM_METRIC_C2C_LINK5_TOTAL_RX_PER_SEC  GpmMetricId = 125
	GPM_METRIC_C2C_LINK5_DATA_TX_PER_SEC   GpmMetricId = 126
	GPM_METRIC_C2C_LINK5_DATA_RX_PER_SEC   GpmMetricId = 127
	GPM_METRIC_C2C_LINK6_TOTAL_TX_PER_SEC  GpmMetricId = 128
	GPM_METRIC_C2C_LINK6_TOTAL_RX_PER_SEC  GpmMetricId = 129
	GPM_METRIC_C2C_LINK6_DATA_TX_PER_SEC   GpmMetricId = 130
	GPM_METRIC_C2C_LINK6_DATA_RX_PER_SEC   GpmMetricId = 131
	GPM_METRIC_C2C_LINK7_TOTAL_TX_PER_SEC  GpmMetricId = 132
	GPM_METRIC_C2C_LINK7_TOTAL_RX_PER_SEC  GpmMetricId = 133
	GPM_METRIC_C2C_LINK7_DATA_TX_PER_SEC   GpmMetricId = 134
	GPM_METRIC_C2C_LINK7_DATA_RX_PER_SEC   GpmMetricId = 135
	GPM_METRIC_C2C_LINK8_TOTAL_TX_PER_SEC  GpmMetricId = 136
	GPM_METRIC_C2C_LINK8_TOTAL_RX_PER_SEC  GpmMetricId = 137
	GPM_METRIC_C2C_LINK8_DATA_TX_PER_SEC   GpmMetricId = 138
	GPM_METRIC_C2C_LINK8_DATA_RX_PER_SEC   GpmMetricId = 139
	GPM_METRIC_C2C_LINK9_TOTAL_TX_PER_SEC  GpmMetricId = 140
	GPM_METRIC_C2C_LINK9_TOTAL_RX_PER_SEC  GpmMetricId = 141
	GPM_METRIC_C2C_LINK9_DATA_TX_PER_SEC   GpmMetricId = 142
	GPM_METRIC_C2C_LINK9_DATA_RX_PER_SEC   GpmMetricId = 143
	GPM_METRIC_C2C_LINK10_TOTAL_TX_PER_SEC GpmMetricId = 144
	GPM_METRIC_C2C_LINK10_TOTAL_RX_PER_SEC GpmMetricId = 145
	GPM_METRIC_C2C_LINK10_DATA_TX_PER_SEC  GpmMetricId = 146
	GPM_METRIC_C2C_LINK10_DATA_RX_PER_SEC  GpmMetricId = 147
	GPM_METRIC_C2C_LINK11_TOTAL_TX_PER_SEC GpmMetricId = 148
	GPM_METRIC_C2C_LINK11_TOTAL_RX_PER_SEC GpmMetricId = 149
	GPM_METRIC_C2C_LINK11_DATA_TX_PER_SEC  GpmMetricId = 150
	GPM_METRIC_C2C_LINK11_DATA_RX_PER_SEC  GpmMetricId = 151
	GPM_METRIC_C2C_LINK12_TOTAL_TX_PER_SEC GpmMetricId = 152
	GPM_METRIC_C2C_LINK12_TOTAL_RX_PER_SEC GpmMetricId = 153
	GPM_METRIC_C2C_LINK12_DATA_TX_PER_SEC  GpmMetricId = 154
	GPM_METRIC_C2C_LINK12_DATA_RX_PER_SEC  GpmMetricId = 155
	GPM_METRIC_C2C_LINK13_TOTAL_TX_PER_SEC GpmMetricId = 156
	GPM_METRIC_C2C_LINK13_TOTAL_RX_PER_SEC GpmMetricId = 157
	GPM_METRIC_C2C_LINK13_DATA_TX_PER_SEC  GpmMetricId = 158
	GPM_METRIC_C2C_LINK13_DATA_RX_PER_SEC  GpmMetricId = 159
	GPM_METRIC_HOSTMEM_CACHE_HIT           GpmMetricId = 160
	GPM_METRIC_HOSTMEM_CACHE_MISS          GpmMetricId = 161
	GPM_METRIC_PEERMEM_CACHE_HIT           GpmMetricId = 162
	GPM_METRIC_PEERMEM_CACHE_MISS          GpmMetricId = 163
	GPM_METRIC_DRAM_CACHE_HIT              GpmMetricId = 164
	GPM_METRIC_DRAM_CACHE_MISS             GpmMetricId = 165
	GPM_METRIC_NVENC_0_UTIL                GpmMetricId = 166
	GPM_METRIC_NVENC_1_UTIL                GpmMetricId = 167
	GPM_METRIC_NVENC_2_UTIL                GpmMetricId = 168
	GPM_METRIC_NVENC_3_UTIL                GpmMetricId = 169
	GPM_METRIC_GR0_CTXSW_CYCLES_ELAPSED    GpmMetricId = 170
	GPM_METRIC_GR0_CTXSW_CYCLES_ACTIVE     GpmMetricId = 171
	GPM_METRIC_GR0_CTXSW_REQUESTS          GpmMetricId = 172
	GPM_METRIC_GR0_CTXSW_CYCLES_PER_REQ    GpmMetricId = 173
	GPM_METRIC_GR0_CTXSW_ACTIVE_PCT        GpmMetricId = 174
	GPM_METRIC_GR1_CTXSW_CYCLES_ELAPSED    GpmMetricId = 175
	GPM_METRIC_GR1_CTXSW_CYCLES_ACTIVE     GpmMetricId = 176
	GPM_METRIC_GR1_CTXSW_REQUESTS          GpmMetricId = 177
	GPM_METRIC_GR1_CTXSW_CYCLES_PER_REQ    GpmMetricId = 178
	GPM_METRIC_GR1_CTXSW_ACTIVE_PCT        GpmMetricId = 179
	GPM_METRIC_GR2_CTXSW_CYCLES_ELAPSED    GpmMetricId = 180
	GPM_METRIC_GR2_CTXSW_CYCLES_ACTIVE     GpmMetricId = 181
	GPM_METRIC_GR2_CTXSW_REQUESTS          GpmMetricId = 182
	GPM_METRIC_GR2_CTXSW_CYCLES_PER_REQ    GpmMetricId = 183
	GPM_METRIC_GR2_CTXSW_ACTIVE_PCT        GpmMetricId = 184
	GPM_METRIC_GR3_CTXSW_CYCLES_ELAPSED    GpmMetricId = 185
	GPM_METRIC_GR3_CTXSW_CYCLES_ACTIVE     GpmMetricId = 186
	GPM_METRIC_GR3_CTXSW_REQUESTS          GpmMetricId = 187
	GPM_METRIC_GR3_CTXSW_CYCLES_PER_REQ    GpmMetricId = 188
	GPM_METRIC_GR3_CTXSW_ACTIVE_PCT        GpmMetricId = 189
	GPM_METRIC_GR4_CTXSW_CYCLES_ELAPSED    GpmMetricId = 190
	GPM_METRIC_GR4_CTXSW_CYCLES_ACTIVE     GpmMetricId = 191
	GPM_METRIC_GR4_CTXSW_REQUESTS          GpmMetricId = 192
	GPM_METRIC_GR4_CTXSW_CYCLES_PER_REQ    GpmMetricId = 193
	GPM_METRIC_GR4_CTXSW_ACTIVE_PCT        GpmMetricId = 194
	GPM_METRIC_GR5_CTXSW_CYCLES_ELAPSED    GpmMetricId = 195
	GPM_METRIC_GR5_CTXSW_CYCLES_ACTIVE     GpmMetricId = 196
	GPM_METRIC_GR5_CTXSW_REQUESTS          GpmMetricId = 197
	GPM_METRIC_GR5_CTXSW_CYCLES_PER_REQ    GpmMetricId = 198
	GPM_METRIC_GR5_CTXSW_ACTIVE_PCT        GpmMetricId = 199
	GPM_METRIC_GR6_CTXSW_CYCLES_ELAPSED    GpmMetricId = 200
	GPM_METRIC_GR6_CTXSW_CYCLES_ACTIVE     GpmMetricId = 201
	GPM_METRIC_GR6_CTXSW_REQUESTS          GpmMetricId = 202
	GPM_METRIC_GR6_CTXSW_CYCLES_PER_REQ    GpmMetricId = 203
	GPM_METRIC_GR6_CTXSW_ACTIVE_PCT        GpmMetricId = 204
	GPM_METRIC_GR7_CTXSW_CYCLES_ELAPSED    GpmMetricId = 205
	GPM_METRIC_GR7_CTXSW_CYCLES_ACTIVE     GpmMetricId = 206
	GPM_METRIC_GR7_CTXSW_REQUESTS          GpmMetricId = 207
	GPM_METRIC_GR7_CTXSW_CYCLES_PER_REQ    GpmMetricId = 208
	GPM_METRIC_GR7_CTXSW_ACTIVE_PCT        GpmMetricId = 209
	GPM_METRIC_MAX                         GpmMetricId = 210
)

// PciInfo is nvmlPciInfo_t, 68 bytes.
type PciInfo struct {
	BusIdLegacy    string // at most 15 bytes
	Domain         uint32
	Bus            uint32
	Device         uint32
	PciDeviceId    uint32
	PciSubSystemId uint32
	BusId          string // at most 31 bytes
}

// Sizeof is the struct's size in bytes.
func (PciInfo) Sizeof() int { return 68 }

// Put writes the struct's bytes to b.
func (s *PciInfo) Put(b []byte) {
	clear(b[:68])
	putText(b[0:16], s.BusIdLegacy)
	le.PutUint32(b[16:], uint32(s.Domain))
	le.PutUint32(b[20:], uint32(s.Bus))
	le.PutUint32(b[24:], uint32(s.Device))
	le.PutUint32(b[28:], uint32(s.PciDeviceId))
	le.PutUint32(b[32:], uint32(s.PciSubSystemId))
	putText(b[36:68], s.BusId)
}

// Get reads them from b.
func (s *PciInfo) Get(b []byte) {
	_ = b[67]
	s.BusIdLegacy = text(b[0:16])
	s.Domain = uint32(le.Uint32(b[16:]))
	s.Bus = uint32(le.Uint32(b[20:]))
	s.Device = uint32(le.Uint32(b[24:]))
	s.PciDeviceId = uint32(le.Uint32(b[28:]))
	s.PciSubSystemId = uint32(le.Uint32(b[32:]))
	s.BusId = text(b[36:68])
}

// EccErrorCounts is nvmlEccErrorCounts_t, 32 bytes.
type EccErrorCounts struct {
	L1Cache      uint64
	L2Cache      uint64
	DeviceMemory uint64
	RegisterFile uint64
}

// Sizeof is the struct's size in bytes.
func (EccErrorCounts) Sizeof() int { return 32 }

// Put writes the struct's bytes to b.
func (s *EccErrorCounts) Put(b []byte) {
	clear(b[:32])
	le.PutUint64(b[0:], uint64(s.L1Cache))
	le.PutUint64(b[8:], uint64(s.L2Cache))
	le.PutUint64(b[16:], uint64(s.DeviceMemory))
	le.PutUint64(b[24:], uint64(s.RegisterFile))
}

// Get reads them from b.
func (s *EccErrorCounts) Get(b []byte) {
	_ = b[31]
	s.L1Cache = uint64(le.Uint64(b[0:]))
	s.L2Cache = uint64(le.Uint64(b[8:]))
	s.DeviceMemory = uint64(le.Uint64(b[16:]))
	s.RegisterFile = uint64(le.Uint64(b[24:]))
}

// Utilization is nvmlUtilization_t, 8 bytes.
type Utilization struct {
	Gpu    uint32
	Memory uint32
}

// Sizeof is the struct's size in bytes.
func (Utilization) Sizeof() int { return 8 }

// Put writes the struct's bytes to b.
func (s *Utilization) Put(b []byte) {
	clear(b[:8])
	le.PutUint32(b[0:], uint32(s.Gpu))
	le.PutUint32(b[4:], uint32(s.Memory))
}

// Get reads them from b.
func (s *Utilization) Get(b []byte) {
	_ = b[7]
	s.Gpu = uint32(le.Uint32(b[0:]))
	s.Memory = uint32(le.Uint32(b[4:]))
}

// Memory is nvmlMemory_t, 24 bytes.
type Memory struct {
	Total uint64
	Free  uint64
	Used  uint64
}

// Sizeof is the struct's size in bytes.
func (Memory) Sizeof() int { return 24 }

// Put writes the struct's bytes to b.
func (s *Memory) Put(b []byte) {
	clear(b[:24])
	le.PutUint64(b[0:], uint64(s.Total))
	le.PutUint64(b[8:], uint64(s.Free))
	le.PutUint64(b[16:], uint64(s.Used))
}

// Get reads them from b.
func (s *Memory) Get(b []byte) {
	_ = b[23]
	s.Total = uint64(le.Uint64(b[0:]))
	s.Free = uint64(le.Uint64(b[8:]))
	s.Used = uint64(le.Uint64(b[16:]))
}

// Memory_v2 is nvmlMemory_v2_t, 40 bytes.
type Memory_v2 struct {
	Version  uint32
	Total    uint64
	Reserved uint64
	Free     uint64
	Used     uint64
}

// Sizeof is the struct's size in bytes.
func (Memory_v2) Sizeof() int { return 40 }

// Put writes the struct's bytes to b.
func (s *Memory_v2) Put(b []byte) {
	clear(b[:40])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint64(b[8:], uint64(s.Total))
	le.PutUint64(b[16:], uint64(s.Reserved))
	le.PutUint64(b[24:], uint64(s.Free))
	le.PutUint64(b[32:], uint64(s.Used))
}

// Get reads them from b.
func (s *Memory_v2) Get(b []byte) {
	_ = b[39]
	s.Version = uint32(le.Uint32(b[0:]))
	s.Total = uint64(le.Uint64(b[8:]))
	s.Reserved = uint64(le.Uint64(b[16:]))
	s.Free = uint64(le.Uint64(b[24:]))
	s.Used = uint64(le.Uint64(b[32:]))
}

func (s *Memory_v2) version() *uint32 { return &s.Version }

func (Memory_v2) versionWord() uint32 { return 40 | 2<<24 }

// BAR1Memory is nvmlBAR1Memory_t, 24 bytes.
type BAR1Memory struct {
	Bar1Total uint64
	Bar1Free  uint64
	Bar1Used  uint64
}

// Sizeof is the struct's size in bytes.
func (BAR1Memory) Sizeof() int { return 24 }

// Put writes the struct's bytes to b.
func (s *BAR1Memory) Put(b []byte) {
	clear(b[:24])
	le.PutUint64(b[0:], uint64(s.Bar1Total))
	le.PutUint64(b[8:], uint64(s.Bar1Free))
	le.PutUint64(b[16:], uint64(s.Bar1Used))
}

// Get reads them from b.
func (s *BAR1Memory) Get(b []byte) {
	_ = b[23]
	s.Bar1Total = uint64(le.Uint64(b[0:]))
	s.Bar1Free = uint64(le.Uint64(b[8:]))
	s.Bar1Used = uint64(le.Uint64(b[16:]))
}

// ProcessInfo_v1 is nvmlProcessInfo_v1_t, 16 bytes.
type ProcessInfo_v1 struct {
	Pid           uint32
	UsedGpuMemory uint64
}

// Sizeof is the struct's size in bytes.
func (ProcessInfo_v1) Sizeof() int { return 16 }

// Put writes the struct's bytes to b.
func (s *ProcessInfo_v1) Put(b []byte) {
	clear(b[:16])
	le.PutUint32(b[0:], uint32(s.Pid))
	le.PutUint64(b[8:], uint64(s.UsedGpuMemory))
}

// Get reads them from b.
func (s *ProcessInfo_v1) Get(b []byte) {
	_ = b[15]
	s.Pid = uint32(le.Uint32(b[0:]))
	s.UsedGpuMemory = uint64(le.Uint64(b[8:]))
}

// ProcessInfo_v2 is nvmlProcessInfo_v2_t, 24 bytes.
type ProcessInfo_v2 struct {
	Pid               uint32
	UsedGpuMemory     uint64
	GpuInstanceId     uint32
	ComputeInstanceId uint32
}

// Sizeof is the struct's size in bytes.
func (ProcessInfo_v2) Sizeof() int { return 24 }

// Put writes the struct's bytes to b.
func (s *ProcessInfo_v2) Put(b []byte) {
	clear(b[:24])
	le.PutUint32(b[0:], uint32(s.Pid))
	le.PutUint64(b[8:], uint64(s.UsedGpuMemory))
	le.PutUint32(b[16:], uint32(s.GpuInstanceId))
	le.PutUint32(b[20:], uint32(s.ComputeInstanceId))
}

// Get reads them from b.
func (s *ProcessInfo_v2) Get(b []byte) {
	_ = b[23]
	s.Pid = uint32(le.Uint32(b[0:]))
	s.UsedGpuMemory = uint64(le.Uint64(b[8:]))
	s.GpuInstanceId = uint32(le.Uint32(b[16:]))
	s.ComputeInstanceId = uint32(le.Uint32(b[20:]))
}

// ProcessInfo is nvmlProcessInfo_t, 24 bytes.
type ProcessInfo struct {
	Pid               uint32
	UsedGpuMemory     uint64
	GpuInstanceId     uint32
	ComputeInstanceId uint32
}

// Sizeof is the struct's size in bytes.
func (ProcessInfo) Sizeof() int { return 24 }

// Put writes the struct's bytes to b.
func (s *ProcessInfo) Put(b []byte) {
	clear(b[:24])
	le.PutUint32(b[0:], uint32(s.Pid))
	le.PutUint64(b[8:], uint64(s.UsedGpuMemory))
	le.PutUint32(b[16:], uint32(s.GpuInstanceId))
	le.PutUint32(b[20:], uint32(s.ComputeInstanceId))
}

// Get reads them from b.
func (s *ProcessInfo) Get(b []byte) {
	_ = b[23]
	s.Pid = uint32(le.Uint32(b[0:]))
	s.UsedGpuMemory = uint64(le.Uint64(b[8:]))
	s.GpuInstanceId = uint32(le.Uint32(b[16:]))
	s.ComputeInstanceId = uint32(le.Uint32(b[20:]))
}

// DeviceAttributes is nvmlDeviceAttributes_t, 40 bytes.
type DeviceAttributes struct {
	MultiprocessorCount       uint32
	SharedCopyEngineCount     uint32
	SharedDecoderCount        uint32
	SharedEncoderCount        uint32
	SharedJpegCount           uint32
	SharedOfaCount            uint32
	GpuInstanceSliceCount     uint32
	ComputeInstanceSliceCount uint32
	MemorySizeMB              uint64
}

// Sizeof is the struct's size in bytes.
func (DeviceAttributes) Sizeof() int { return 40 }

// Put writes the struct's bytes to b.
func (s *DeviceAttributes) Put(b []byte) {
	clear(b[:40])
	le.PutUint32(b[0:], uint32(s.MultiprocessorCount))
	le.PutUint32(b[4:], uint32(s.SharedCopyEngineCount))
	le.PutUint32(b[8:], uint32(s.SharedDecoderCount))
	le.PutUint32(b[12:], uint32(s.SharedEncoderCount))
	le.PutUint32(b[16:], uint32(s.SharedJpegCount))
	le.PutUint32(b[20:], uint32(s.SharedOfaCount))
	le.PutUint32(b[24:], uint32(s.GpuInstanceSliceCount))
	le.PutUint32(b[28:], uint32(s.ComputeInstanceSliceCount))
	le.PutUint64(b[32:], uint64(s.MemorySizeMB))
}

// Get reads them from b.
func (s *DeviceAttributes) Get(b []byte) {
	_ = b[39]
	s.MultiprocessorCount = uint32(le.Uint32(b[0:]))
	s.SharedCopyEngineCount = uint32(le.Uint32(b[4:]))
	s.SharedDecoderCount = uint32(le.Uint32(b[8:]))
	s.SharedEncoderCount = uint32(le.Uint32(b[12:]))
	s.SharedJpegCount = uint32(le.Uint32(b[16:]))
	s.SharedOfaCount = uint32(le.Uint32(b[20:]))
	s.GpuInstanceSliceCount = uint32(le.Uint32(b[24:]))
	s.ComputeInstanceSliceCount = uint32(le.Uint32(b[28:]))
	s.MemorySizeMB = uint64(le.Uint64(b[32:]))
}

// RowRemapperHistogramValues is nvmlRowRemapperHistogramValues_t, 20 bytes.
type RowRemapperHistogramValues struct {
	Max     uint32
	High    uint32
	Partial uint32
	Low     uint32
	None    uint32
}

// Sizeof is the struct's size in bytes.
func (RowRemapperHistogramValues) Sizeof() int { return 20 }

// Put writes the struct's bytes to b.
func (s *RowRemapperHistogramValues) Put(b []byte) {
	clear(b[:20])
	le.PutUint32(b[0:], uint32(s.Max))
	le.PutUint32(b[4:], uint32(s.High))
	le.PutUint32(b[8:], uint32(s.Partial))
	le.PutUint32(b[12:], uint32(s.Low))
	le.PutUint32(b[16:], uint32(s.None))
}

// Get reads them from b.
func (s *RowRemapperHistogramValues) Get(b []byte) {
	_ = b[19]
	s.Max = uint32(le.Uint32(b[0:]))
	s.High = uint32(le.Uint32(b[4:]))
	s.Partial = uint32(le.Uint32(b[8:]))
	s.Low = uint32(le.Uint32(b[12:]))
	s.None = uint32(le.Uint32(b[16:]))
}

// NvLinkUtilizationControl is nvmlNvLinkUtilizationControl_t, 8 bytes.
type NvLinkUtilizationControl struct {
	Units     NvLinkUtilizationCountUnits
	Pktfilter NvLinkUtilizationCountPktTypes
}

// Sizeof is the struct's size in bytes.
func (NvLinkUtilizationControl) Sizeof() int { return 8 }

// Put writes the struct's bytes to b.
func (s *NvLinkUtilizationControl) Put(b []byte) {
	clear(b[:8])
	le.PutUint32(b[0:], uint32(s.Units))
	le.PutUint32(b[4:], uint32(s.Pktfilter))
}

// Get reads them from b.
func (s *NvLinkUtilizationControl) Get(b []byte) {
	_ = b[7]
	s.Units = NvLinkUtilizationCountUnits(le.Uint32(b[0:]))
	s.Pktfilter = NvLinkUtilizationCountPktTypes(le.Uint32(b[4:]))
}

// BridgeChipInfo is nvmlBridgeChipInfo_t, 8 bytes.
type BridgeChipInfo struct {
	Type      BridgeChipType
	FwVersion uint32
}

// Sizeof is the struct's size in bytes.
func (BridgeChipInfo) Sizeof() int { return 8 }

// Put writes the struct's bytes to b.
func (s *BridgeChipInfo) Put(b []byte) {
	clear(b[:8])
	le.PutUint32(b[0:], uint32(s.Type))
	le.PutUint32(b[4:], uint32(s.FwVersion))
}

// Get reads them from b.
func (s *BridgeChipInfo) Get(b []byte) {
	_ = b[7]
	s.Type = BridgeChipType(le.Uint32(b[0:]))
	s.FwVersion = uint32(le.Uint32(b[4:]))
}

// BridgeChipHierarchy is nvmlBridgeChipHierarchy_t, 1028 bytes.
type BridgeChipHierarchy struct {
	BridgeCount    byte
	BridgeChipInfo [128]BridgeChipInfo
}

// Sizeof is the struct's size in bytes.
func (BridgeChipHierarchy) Sizeof() int { return 1028 }

// Put writes the struct's bytes to b.
func (s *BridgeChipHierarchy) Put(b []byte) {
	clear(b[:1028])
	b[0] = byte(s.BridgeCount)
	for i := range s.BridgeChipInfo {
		s.BridgeChipInfo[i].Put(b[4+i*8:])
	}
}

// Get reads them from b.
func (s *BridgeChipHierarchy) Get(b []byte) {
	_ = b[1027]
	s.BridgeCount = byte(b[0])
	for i := range s.BridgeChipInfo {
		s.BridgeChipInfo[i].Get(b[4+i*8:])
	}
}

// Value is nvmlValue_t, a union of 8 bytes.
type Value [8]byte

// Sizeof is the union's size in bytes.
func (Value) Sizeof() int { return 8 }

// Put writes the union's bytes to b.
func (s *Value) Put(b []byte) { copy(b[:8], s[:]) }

// Get reads them from b.
func (s *Value) Get(b []byte) { copy(s[:], b[:8]) }

// Sample is nvmlSample_t, 16 bytes.
type Sample struct {
	TimeStamp   uint64
	SampleValue Value
}

// Sizeof is the struct's size in bytes.
func (Sample) Sizeof() int { return 16 }

// Put writes the struct's bytes to b.
func (s *Sample) Put(b []byte) {
	clear(b[:16])
	le.PutUint64(b[0:], uint64(s.TimeStamp))
	s.SampleValue.Put(b[8:])
}

// Get reads them from b.
func (s *Sample) Get(b []byte) {
	_ = b[15]
	s.TimeStamp = uint64(le.Uint64(b[0:]))
	s.SampleValue.Get(b[8:])
}

// ViolationTime is nvmlViolationTime_t, 16 bytes.
type ViolationTime struct {
	ReferenceTime uint64
	ViolationTime uint64
}

// Sizeof is the struct's size in bytes.
func (ViolationTime) Sizeof() int { return 16 }

// Put writes the struct's bytes to b.
func (s *ViolationTime) Put(b []byte) {
	clear(b[:16])
	le.PutUint64(b[0:], uint64(s.ReferenceTime))
	le.PutUint64(b[8:], uint64(s.ViolationTime))
}

// Get reads them from b.
func (s *ViolationTime) Get(b []byte) {
	_ = b[15]
	s.ReferenceTime = uint64(le.Uint64(b[0:]))
	s.ViolationTime = uint64(le.Uint64(b[8:]))
}

// GpuThermalSettings is nvmlGpuThermalSettings_t, 64 bytes.
type GpuThermalSettings struct {
	Count  uint32
	Sensor [3]GpuThermalSettingsSensor
}

// Sizeof is the struct's size in bytes.
func (GpuThermalSettings) Sizeof() int { return 64 }

// Put writes the struct's bytes to b.
func (s *GpuThermalSettings) Put(b []byte) {
	clear(b[:64])
	le.PutUint32(b[0:], uint32(s.Count))
	for i := range s.Sensor {
		s.Sensor[i].Put(b[4+i*20:])
	}
}

// Get reads them from b.
func (s *GpuThermalSettings) Get(b []byte) {
	_ = b[63]
	s.Count = uint32(le.Uint32(b[0:]))
	for i := range s.Sensor {
		s.Sensor[i].Get(b[4+i*20:])
	}
}

// GpuThermalSettingsSensor is a part of GpuThermalSettings, 20 bytes.
type GpuThermalSettingsSensor struct {
	Controller     ThermalController
	DefaultMinTemp int32
	DefaultMaxTemp int32
	CurrentTemp    int32
	Target         ThermalTarget
}

// Sizeof is the struct's size in bytes.
func (GpuThermalSettingsSensor) Sizeof() int { return 20 }

// Put writes the struct's bytes to b.
func (s *GpuThermalSettingsSensor) Put(b []byte) {
	clear(b[:20])
	le.PutUint32(b[0:], uint32(s.Controller))
	le.PutUint32(b[4:], uint32(s.DefaultMinTemp))
	le.PutUint32(b[8:], uint32(s.DefaultMaxTemp))
	le.PutUint32(b[12:], uint32(s.CurrentTemp))
	le.PutUint32(b[16:], uint32(s.Target))
}

// Get reads them from b.
func (s *GpuThermalSettingsSensor) Get(b []byte) {
	_ = b[19]
	s.Controller = ThermalController(le.Uint32(b[0:]))
	s.DefaultMinTemp = int32(le.Uint32(b[4:]))
	s.DefaultMaxTemp = int32(le.Uint32(b[8:]))
	s.CurrentTemp = int32(le.Uint32(b[12:]))
	s.Target = ThermalTarget(le.Uint32(b[16:]))
}

// ClkMonFaultInfo is nvmlClkMonFaultInfo_t, 8 bytes.
type ClkMonFaultInfo struct {
	ClkApiDomain       uint32
	ClkDomainFaultMask uint32
}

// Sizeof is the struct's size in bytes.
func (ClkMonFaultInfo) Sizeof() int { return 8 }

// Put writes the struct's bytes to b.
func (s *ClkMonFaultInfo) Put(b []byte) {
	clear(b[:8])
	le.PutUint32(b[0:], uint32(s.ClkApiDomain))
	le.PutUint32(b[4:], uint32(s.ClkDomainFaultMask))
}

// Get reads them from b.
func (s *ClkMonFaultInfo) Get(b []byte) {
	_ = b[7]
	s.ClkApiDomain = uint32(le.Uint32(b[0:]))
	s.ClkDomainFaultMask = uint32(le.Uint32(b[4:]))
}

// ClkMonStatus is nvmlClkMonStatus_t, 264 bytes.
type ClkMonStatus struct {
	BGlobalStatus  uint32
	ClkMonListSize uint32
	ClkMonList     [32]ClkMonFaultInfo
}

// Sizeof is the struct's size in bytes.
func (ClkMonStatus) Sizeof() int { return 264 }

// Put writes the struct's bytes to b.
func (s *ClkMonStatus) Put(b []byte) {
	clear(b[:264])
	le.PutUint32(b[0:], uint32(s.BGlobalStatus))
	le.PutUint32(b[4:], uint32(s.ClkMonListSize))
	for i := range s.ClkMonList {
		s.ClkMonList[i].Put(b[8+i*8:])
	}
}

// Get reads them from b.
func (s *ClkMonStatus) Get(b []byte) {
	_ = b[263]
	s.BGlobalStatus = uint32(le.Uint32(b[0:]))
	s.ClkMonListSize = uint32(le.Uint32(b[4:]))
	for i := range s.ClkMonList {
		s.ClkMonList[i].Get(b[8+i*8:])
	}
}

// VgpuInstanceUtilizationSample is nvmlVgpuInstanceUtilizationSample_t, 48 bytes.
type VgpuInstanceUtilizationSample struct {
	VgpuInstance uint32
	TimeStamp    uint64
	SmUtil       Value
	MemUtil      Value
	EncUtil      Value
	DecUtil      Value
}

// Sizeof is the struct's size in bytes.
func (VgpuInstanceUtilizationSample) Sizeof() int { return 48 }

// Put writes the struct's bytes to b.
func (s *VgpuInstanceUtilizationSample) Put(b []byte) {
	clear(b[:48])
	le.PutUint32(b[0:], uint32(s.VgpuInstance))
	le.PutUint64(b[8:], uint64(s.TimeStamp))
	s.SmUtil.Put(b[16:])
	s.MemUtil.Put(b[24:])
	s.EncUtil.Put(b[32:])
	s.DecUtil.Put(b[40:])
}

// Get reads them from b.
func (s *VgpuInstanceUtilizationSample) Get(b []byte) {
	_ = b[47]
	s.VgpuInstance = uint32(le.Uint32(b[0:]))
	s.TimeStamp = uint64(le.Uint64(b[8:]))
	s.SmUtil.Get(b[16:])
	s.MemUtil.Get(b[24:])
	s.EncUtil.Get(b[32:])
	s.DecUtil.Get(b[40:])
}

// VgpuProcessUtilizationSample is nvmlVgpuProcessUtilizationSample_t, 96 bytes.
type VgpuProcessUtilizationSample struct {
	VgpuInstance uint32
	Pid          uint32
	ProcessName  string // at most 63 bytes
	TimeStamp    uint64
	SmUtil       uint32
	MemUtil      uint32
	EncUtil      uint32
	DecUtil      uint32
}

// Sizeof is the struct's size in bytes.
func (VgpuProcessUtilizationSample) Sizeof() int { return 96 }

// Put writes the struct's bytes to b.
func (s *VgpuProcessUtilizationSample) Put(b []byte) {
	clear(b[:96])
	le.PutUint32(b[0:], uint32(s.VgpuInstance))
	le.PutUint32(b[4:], uint32(s.Pid))
	putText(b[8:72], s.ProcessName)
	le.PutUint64(b[72:], uint64(s.TimeStamp))
	le.PutUint32(b[80:], uint32(s.SmUtil))
	le.PutUint32(b[84:], uint32(s.MemUtil))
	le.PutUint32(b[88:], uint32(s.EncUtil))
	le.PutUint32(b[92:], uint32(s.DecUtil))
}

// Get reads them from b.
func (s *VgpuProcessUtilizationSample) Get(b []byte) {
	_ = b[95]
	s.VgpuInstance = uint32(le.Uint32(b[0:]))
	s.Pid = uint32(le.Uint32(b[4:]))
	s.ProcessName = text(b[8:72])
	s.TimeStamp = uint64(le.Uint64(b[72:]))
	s.SmUtil = uint32(le.Uint32(b[80:]))
	s.MemUtil = uint32(le.Uint32(b[84:]))
	s.EncUtil = uint32(le.Uint32(b[88:]))
	s.DecUtil = uint32(le.Uint32(b[92:]))
}

// VgpuLicenseExpiry is nvmlVgpuLicenseExpiry_t, 16 bytes.
type VgpuLicenseExpiry struct {
	Year   uint32
	Month  uint16
	Day    uint16
	Hour   uint16
	Min    uint16
	Sec    uint16
	Status byte
}

// Sizeof is the struct's size in bytes.
func (VgpuLicenseExpiry) Sizeof() int { return 16 }

// Put writes the struct's bytes to b.
func (s *VgpuLicenseExpiry) Put(b []byte) {
	clear(b[:16])
	le.PutUint32(b[0:], uint32(s.Year))
	le.PutUint16(b[4:], uint16(s.Month))
	le.PutUint16(b[6:], uint16(s.Day))
	le.PutUint16(b[8:], uint16(s.Hour))
	le.PutUint16(b[10:], uint16(s.Min))
	le.PutUint16(b[12:], uint16(s.Sec))
	b[14] = byte(s.Status)
}

// Get reads them from b.
func (s *VgpuLicenseExpiry) Get(b []byte) {
	_ = b[15]
	s.Year = uint32(le.Uint32(b[0:]))
	s.Month = uint16(le.Uint16(b[4:]))
	s.Day = uint16(le.Uint16(b[6:]))
	s.Hour = uint16(le.Uint16(b[8:]))
	s.Min = uint16(le.Uint16(b[10:]))
	s.Sec = uint16(le.Uint16(b[12:]))
	s.Status = byte(b[14])
}

// VgpuLicenseInfo is nvmlVgpuLicenseInfo_t, 24 bytes.
type VgpuLicenseInfo struct {
	IsLicensed    byte
	LicenseExpiry VgpuLicenseExpiry
	CurrentState  uint32
}

// Sizeof is the struct's size in bytes.
func (VgpuLicenseInfo) Sizeof() int { return 24 }

// Put writes the struct's bytes to b.
func (s *VgpuLicenseInfo) Put(b []byte) {
	clear(b[:24])
	b[0] = byte(s.IsLicensed)
	s.LicenseExpiry.Put(b[4:])
	le.PutUint32(b[20:], uint32(s.CurrentState))
}

// Get reads them from b.
func (s *VgpuLicenseInfo) Get(b []byte) {
	_ = b[23]
	s.IsLicensed = byte(b[0])
	s.LicenseExpiry.Get(b[4:])
	s.CurrentState = uint32(le.Uint32(b[20:]))
}

// ProcessUtilizationSample is nvmlProcessUtilizationSample_t, 32 bytes.
type ProcessUtilizationSample struct {
	Pid       uint32
	TimeStamp uint64
	SmUtil    uint32
	MemUtil   uint32
	EncUtil   uint32
	DecUtil   uint32
}

// Sizeof is the struct's size in bytes.
func (ProcessUtilizationSample) Sizeof() int { return 32 }

// Put writes the struct's bytes to b.
func (s *ProcessUtilizationSample) Put(b []byte) {
	clear(b[:32])
	le.PutUint32(b[0:], uint32(s.Pid))
	le.PutUint64(b[8:], uint64(s.TimeStamp))
	le.PutUint32(b[16:], uint32(s.SmUtil))
	le.PutUint32(b[20:], uint32(s.MemUtil))
	le.PutUint32(b[24:], uint32(s.EncUtil))
	le.PutUint32(b[28:], uint32(s.DecUtil))
}

// Get reads them from b.
func (s *ProcessUtilizationSample) Get(b []byte) {
	_ = b[31]
	s.Pid = uint32(le.Uint32(b[0:]))
	s.TimeStamp = uint64(le.Uint64(b[8:]))
	s.SmUtil = uint32(le.Uint32(b[16:]))
	s.MemUtil = uint32(le.Uint32(b[20:]))
	s.EncUtil = uint32(le.Uint32(b[24:]))
	s.DecUtil = uint32(le.Uint32(b[28:]))
}

// GridLicenseExpiry is nvmlGridLicenseExpiry_t, 16 bytes.
type GridLicenseExpiry struct {
	Year   uint32
	Month  uint16
	Day    uint16
	Hour   uint16
	Min    uint16
	Sec    uint16
	Status byte
}

// Sizeof is the struct's size in bytes.
func (GridLicenseExpiry) Sizeof() int { return 16 }

// Put writes the struct's bytes to b.
func (s *GridLicenseExpiry) Put(b []byte) {
	clear(b[:16])
	le.PutUint32(b[0:], uint32(s.Year))
	le.PutUint16(b[4:], uint16(s.Month))
	le.PutUint16(b[6:], uint16(s.Day))
	le.PutUint16(b[8:], uint16(s.Hour))
	le.PutUint16(b[10:], uint16(s.Min))
	le.PutUint16(b[12:], uint16(s.Sec))
	b[14] = byte(s.Status)
}

// Get reads them from b.
func (s *GridLicenseExpiry) Get(b []byte) {
	_ = b[15]
	s.Year = uint32(le.Uint32(b[0:]))
	s.Month = uint16(le.Uint16(b[4:]))
	s.Day = uint16(le.Uint16(b[6:]))
	s.Hour = uint16(le.Uint16(b[8:]))
	s.Min = uint16(le.Uint16(b[10:]))
	s.Sec = uint16(le.Uint16(b[12:]))
	s.Status = byte(b[14])
}

// GridLicensableFeature is nvmlGridLicensableFeature_t, 284 bytes.
type GridLicensableFeature struct {
	FeatureCode    GridLicenseFeatureCode
	FeatureState   uint32
	LicenseInfo    string // at most 127 bytes
	ProductName    string // at most 127 bytes
	FeatureEnabled uint32
	LicenseExpiry  GridLicenseExpiry
}

// Sizeof is the struct's size in bytes.
func (GridLicensableFeature) Sizeof() int { return 284 }

// Put writes the struct's bytes to b.
func (s *GridLicensableFeature) Put(b []byte) {
	clear(b[:284])
	le.PutUint32(b[0:], uint32(s.FeatureCode))
	le.PutUint32(b[4:], uint32(s.FeatureState))
	putText(b[8:136], s.LicenseInfo)
	putText(b[136:264], s.ProductName)
	le.PutUint32(b[264:], uint32(s.FeatureEnabled))
	s.LicenseExpiry.Put(b[268:])
}

// Get reads them from b.
func (s *GridLicensableFeature) Get(b []byte) {
	_ = b[283]
	s.FeatureCode = GridLicenseFeatureCode(le.Uint32(b[0:]))
	s.FeatureState = uint32(le.Uint32(b[4:]))
	s.LicenseInfo = text(b[8:136])
	s.ProductName = text(b[136:264])
	s.FeatureEnabled = uint32(le.Uint32(b[264:]))
	s.LicenseExpiry.Get(b[268:])
}

// GridLicensableFeatures is nvmlGridLicensableFeatures_t, 860 bytes.
type GridLicensableFeatures struct {
	IsGridLicenseSupported  int32
	LicensableFeaturesCount uint32
	GridLicensableFeatures  [3]GridLicensableFeature
}

// Sizeof is the struct's size in bytes.
func (GridLicensableFeatures) Sizeof() int { return 860 }

// Put writes the struct's bytes to b.
func (s *GridLicensableFeatures) Put(b []byte) {
	clear(b[:860])
	le.PutUint32(b[0:], uint32(s.IsGridLicenseSupported))
	le.PutUint32(b[4:], uint32(s.LicensableFeaturesCount))
	for i := range s.GridLicensableFeatures {
		s.GridLicensableFeatures[i].Put(b[8+i*284:])
	}
}

// Get reads them from b.
func (s *GridLicensableFeatures) Get(b []byte) {
	_ = b[859]
	s.IsGridLicenseSupported = int32(le.Uint32(b[0:]))
	s.LicensableFeaturesCount = uint32(le.Uint32(b[4:]))
	for i := range s.GridLicensableFeatures {
		s.GridLicensableFeatures[i].Get(b[8+i*284:])
	}
}

// GpuDynamicPstatesInfo is nvmlGpuDynamicPstatesInfo_t, 132 bytes.
type GpuDynamicPstatesInfo struct {
	Flags       uint32
	Utilization [8]GpuDynamicPstatesInfoUtilization
}

// Sizeof is the struct's size in bytes.
func (GpuDynamicPstatesInfo) Sizeof() int { return 132 }

// Put writes the struct's bytes to b.
func (s *GpuDynamicPstatesInfo) Put(b []byte) {
	clear(b[:132])
	le.PutUint32(b[0:], uint32(s.Flags))
	for i := range s.Utilization {
		s.Utilization[i].Put(b[4+i*16:])
	}
}

// Get reads them from b.
func (s *GpuDynamicPstatesInfo) Get(b []byte) {
	_ = b[131]
	s.Flags = uint32(le.Uint32(b[0:]))
	for i := range s.Utilization {
		s.Utilization[i].Get(b[4+i*16:])
	}
}

// GpuDynamicPstatesInfoUtilization is a part of GpuDynamicPstatesInfo, 16 bytes.
type GpuDynamicPstatesInfoUtilization struct {
	BIsPresent   uint32
	Percentage   uint32
	IncThreshold uint32
	DecThreshold uint32
}

// Sizeof is the struct's size in bytes.
func (GpuDynamicPstatesInfoUtilization) Sizeof() int { return 16 }

// Put writes the struct's bytes to b.
func (s *GpuDynamicPstatesInfoUtilization) Put(b []byte) {
	clear(b[:16])
	le.PutUint32(b[0:], uint32(s.BIsPresent))
	le.PutUint32(b[4:], uint32(s.Percentage))
	le.PutUint32(b[8:], uint32(s.IncThreshold))
	le.PutUint32(b[12:], uint32(s.DecThreshold))
}

// Get reads them from b.
func (s *GpuDynamicPstatesInfoUtilization) Get(b []byte) {
	_ = b[15]
	s.BIsPresent = uint32(le.Uint32(b[0:]))
	s.Percentage = uint32(le.Uint32(b[4:]))
	s.IncThreshold = uint32(le.Uint32(b[8:]))
	s.DecThreshold = uint32(le.Uint32(b[12:]))
}

// FieldValue is nvmlFieldValue_t, 40 bytes.
type FieldValue struct {
	FieldId     uint32
	ScopeId     uint32
	Timestamp   int64
	LatencyUsec int64
	ValueType   ValueType
	NvmlReturn  Return
	Value       Value
}

// Sizeof is the struct's size in bytes.
func (FieldValue) Sizeof() int { return 40 }

// Put writes the struct's bytes to b.
func (s *FieldValue) Put(b []byte) {
	clear(b[:40])
	le.PutUint32(b[0:], uint32(s.FieldId))
	le.PutUint32(b[4:], uint32(s.ScopeId))
	le.PutUint64(b[8:], uint64(s.Timestamp))
	le.PutUint64(b[16:], uint64(s.LatencyUsec))
	le.PutUint32(b[24:], uint32(s.ValueType))
	le.PutUint32(b[28:], uint32(s.NvmlReturn))
	s.Value.Put(b[32:])
}

// Get reads them from b.
func (s *FieldValue) Get(b []byte) {
	_ = b[39]
	s.FieldId = uint32(le.Uint32(b[0:]))
	s.ScopeId = uint32(le.Uint32(b[4:]))
	s.Timestamp = int64(le.Uint64(b[8:]))
	s.LatencyUsec = int64(le.Uint64(b[16:]))
	s.ValueType = ValueType(le.Uint32(b[24:]))
	s.NvmlReturn = Return(le.Uint32(b[28:]))
	s.Value.Get(b[32:])
}

// HwbcEntry is nvmlHwbcEntry_t, 36 bytes.
type HwbcEntry struct {
	HwbcId          uint32
	FirmwareVersion string // at most 31 bytes
}

// Sizeof is the struct's size in bytes.
func (HwbcEntry) Sizeof() int { return 36 }

// Put writes the struct's bytes to b.
func (s *HwbcEntry) Put(b []byte) {
	clear(b[:36])
	le.PutUint32(b[0:], uint32(s.HwbcId))
	putText(b[4:36], s.FirmwareVersion)
}

// Get reads them from b.
func (s *HwbcEntry) Get(b []byte) {
	_ = b[35]
	s.HwbcId = uint32(le.Uint32(b[0:]))
	s.FirmwareVersion = text(b[4:36])
}

// LedState is nvmlLedState_t, 260 bytes.
type LedState struct {
	Cause string // at most 255 bytes
	Color LedColor
}

// Sizeof is the struct's size in bytes.
func (LedState) Sizeof() int { return 260 }

// Put writes the struct's bytes to b.
func (s *LedState) Put(b []byte) {
	clear(b[:260])
	putText(b[0:256], s.Cause)
	le.PutUint32(b[256:], uint32(s.Color))
}

// Get reads them from b.
func (s *LedState) Get(b []byte) {
	_ = b[259]
	s.Cause = text(b[0:256])
	s.Color = LedColor(le.Uint32(b[256:]))
}

// UnitInfo is nvmlUnitInfo_t, 384 bytes.
type UnitInfo struct {
	Name            string // at most 95 bytes
	Id              string // at most 95 bytes
	Serial          string // at most 95 bytes
	FirmwareVersion string // at most 95 bytes
}

// Sizeof is the struct's size in bytes.
func (UnitInfo) Sizeof() int { return 384 }

// Put writes the struct's bytes to b.
func (s *UnitInfo) Put(b []byte) {
	clear(b[:384])
	putText(b[0:96], s.Name)
	putText(b[96:192], s.Id)
	putText(b[192:288], s.Serial)
	putText(b[288:384], s.FirmwareVersion)
}

// Get reads them from b.
func (s *UnitInfo) Get(b []byte) {
	_ = b[383]
	s.Name = text(b[0:96])
	s.Id = text(b[96:192])
	s.Serial = text(b[192:288])
	s.FirmwareVersion = text(b[288:384])
}

// PSUInfo is nvmlPSUInfo_t, 268 bytes.
type PSUInfo struct {
	State   string // at most 255 bytes
	Current uint32
	Voltage uint32
	Power   uint32
}

// Sizeof is the struct's size in bytes.
func (PSUInfo) Sizeof() int { return 268 }

// Put writes the struct's bytes to b.
func (s *PSUInfo) Put(b []byte) {
	clear(b[:268])
	putText(b[0:256], s.State)
	le.PutUint32(b[256:], uint32(s.Current))
	le.PutUint32(b[260:], uint32(s.Voltage))
	le.PutUint32(b[264:], uint32(s.Power))
}

// Get reads them from b.
func (s *PSUInfo) Get(b []byte) {
	_ = b[267]
	s.State = text(b[0:256])
	s.Current = uint32(le.Uint32(b[256:]))
	s.Voltage = uint32(le.Uint32(b[260:]))
	s.Power = uint32(le.Uint32(b[264:]))
}

// UnitFanInfo is nvmlUnitFanInfo_t, 8 bytes.
type UnitFanInfo struct {
	Speed uint32
	State FanState
}

// Sizeof is the struct's size in bytes.
func (UnitFanInfo) Sizeof() int { return 8 }

// Put writes the struct's bytes to b.
func (s *UnitFanInfo) Put(b []byte) {
	clear(b[:8])
	le.PutUint32(b[0:], uint32(s.Speed))
	le.PutUint32(b[4:], uint32(s.State))
}

// Get reads them from b.
func (s *UnitFanInfo) Get(b []byte) {
	_ = b[7]
	s.Speed = uint32(le.Uint32(b[0:]))
	s.State = FanState(le.Uint32(b[4:]))
}

// UnitFanSpeeds is nvmlUnitFanSpeeds_t, 196 bytes.
type UnitFanSpeeds struct {
	Fans  [24]UnitFanInfo
	Count uint32
}

// Sizeof is the struct's size in bytes.
func (UnitFanSpeeds) Sizeof() int { return 196 }

// Put writes the struct's bytes to b.
func (s *UnitFanSpeeds) Put(b []byte) {
	clear(b[:196])
	for i := range s.Fans {
		s.Fans[i].Put(b[0+i*8:])
	}
	le.PutUint32(b[192:], uint32(s.Count))
}

// Get reads them from b.
func (s *UnitFanSpeeds) Get(b []byte) {
	_ = b[195]
	for i := range s.Fans {
		s.Fans[i].Get(b[0+i*8:])
	}
	s.Count = uint32(le.Uint32(b[192:]))
}

// EventData is nvmlEventData_t, 32 bytes.
type EventData struct {
	Device            Device
	EventType         uint64
	EventData         uint64
	GpuInstanceId     uint32
	ComputeInstanceId uint32
}

// Sizeof is the struct's size in bytes.
func (EventData) Sizeof() int { return 32 }

// Put writes the struct's bytes to b.
func (s *EventData) Put(b []byte) {
	clear(b[:32])
	le.PutUint64(b[0:], uint64(s.Device))
	le.PutUint64(b[8:], uint64(s.EventType))
	le.PutUint64(b[16:], uint64(s.EventData))
	le.PutUint32(b[24:], uint32(s.GpuInstanceId))
	le.PutUint32(b[28:], uint32(s.ComputeInstanceId))
}

// Get reads them from b.
func (s *EventData) Get(b []byte) {
	_ = b[31]
	s.Device = Device(le.Uint64(b[0:]))
	s.EventType = uint64(le.Uint64(b[8:]))
	s.EventData = uint64(le.Uint64(b[16:]))
	s.GpuInstanceId = uint32(le.Uint32(b[24:]))
	s.ComputeInstanceId = uint32(le.Uint32(b[28:]))
}

// AccountingStats is nvmlAccountingStats_t, 56 bytes.
type AccountingStats struct {
	GpuUtilization    uint32
	MemoryUtilization uint32
	MaxMemoryUsage    uint64
	Time              uint64
	StartTime         uint64
	IsRunning         uint32
	Reserved          [5]uint32
}

// Sizeof is the struct's size in bytes.
func (AccountingStats) Sizeof() int { return 56 }

// Put writes the struct's bytes to b.
func (s *AccountingStats) Put(b []byte) {
	clear(b[:56])
	le.PutUint32(b[0:], uint32(s.GpuUtilization))
	le.PutUint32(b[4:], uint32(s.MemoryUtilization))
	le.PutUint64(b[8:], uint64(s.MaxMemoryUsage))
	le.PutUint64(b[16:], uint64(s.Time))
	le.PutUint64(b[24:], uint64(s.StartTime))
	le.PutUint32(b[32:], uint32(s.IsRunning))
	for i := range s.Reserved {
		le.PutUint32(b[36+i*4:], uint32(s.Reserved[i]))
	}
}

// Get reads them from b.
func (s *AccountingStats) Get(b []byte) {
	_ = b[55]
	s.GpuUtilization = uint32(le.Uint32(b[0:]))
	s.MemoryUtilization = uint32(le.Uint32(b[4:]))
	s.MaxMemoryUsage = uint64(le.Uint64(b[8:]))
	s.Time = uint64(le.Uint64(b[16:]))
	s.StartTime = uint64(le.Uint64(b[24:]))
	s.IsRunning = uint32(le.Uint32(b[32:]))
	for i := range s.Reserved {
		s.Reserved[i] = uint32(le.Uint32(b[36+i*4:]))
	}
}

// EncoderSessionInfo is nvmlEncoderSessionInfo_t, 32 bytes.
type EncoderSessionInfo struct {
	SessionId      uint32
	Pid            uint32
	VgpuInstance   uint32
	CodecType      EncoderType
	HResolution    uint32
	VResolution    uint32
	AverageFps     uint32
	AverageLatency uint32
}

// Sizeof is the struct's size in bytes.
func (EncoderSessionInfo) Sizeof() int { return 32 }

// Put writes the struct's bytes to b.
func (s *EncoderSessionInfo) Put(b []byte) {
	clear(b[:32])
	le.PutUint32(b[0:], uint32(s.SessionId))
	le.PutUint32(b[4:], uint32(s.Pid))
	le.PutUint32(b[8:], uint32(s.VgpuInstance))
	le.PutUint32(b[12:], uint32(s.CodecType))
	le.PutUint32(b[16:], uint32(s.HResolution))
	le.PutUint32(b[20:], uint32(s.VResolution))
	le.PutUint32(b[24:], uint32(s.AverageFps))
	le.PutUint32(b[28:], uint32(s.AverageLatency))
}

// Get reads them from b.
func (s *EncoderSessionInfo) Get(b []byte) {
	_ = b[31]
	s.SessionId = uint32(le.Uint32(b[0:]))
	s.Pid = uint32(le.Uint32(b[4:]))
	s.VgpuInstance = uint32(le.Uint32(b[8:]))
	s.CodecType = EncoderType(le.Uint32(b[12:]))
	s.HResolution = uint32(le.Uint32(b[16:]))
	s.VResolution = uint32(le.Uint32(b[20:]))
	s.AverageFps = uint32(le.Uint32(b[24:]))
	s.AverageLatency = uint32(le.Uint32(b[28:]))
}

// FBCStats is nvmlFBCStats_t, 12 bytes.
type FBCStats struct {
	SessionsCount  uint32
	AverageFPS     uint32
	AverageLatency uint32
}

// Sizeof is the struct's size in bytes.
func (FBCStats) Sizeof() int { return 12 }

// Put writes the struct's bytes to b.
func (s *FBCStats) Put(b []byte) {
	clear(b[:12])
	le.PutUint32(b[0:], uint32(s.SessionsCount))
	le.PutUint32(b[4:], uint32(s.AverageFPS))
	le.PutUint32(b[8:], uint32(s.AverageLatency))
}

// Get reads them from b.
func (s *FBCStats) Get(b []byte) {
	_ = b[11]
	s.SessionsCount = uint32(le.Uint32(b[0:]))
	s.AverageFPS = uint32(le.Uint32(b[4:]))
	s.AverageLatency = uint32(le.Uint32(b[8:]))
}

// FBCSessionInfo is nvmlFBCSessionInfo_t, 48 bytes.
type FBCSessionInfo struct {
	SessionId      uint32
	Pid            uint32
	VgpuInstance   uint32
	DisplayOrdinal uint32
	SessionType    FBCSessionType
	SessionFlags   uint32
	HMaxResolution uint32
	VMaxResolution uint32
	HResolution    uint32
	VResolution    uint32
	AverageFPS     uint32
	AverageLatency uint32
}

// Sizeof is the struct's size in bytes.
func (FBCSessionInfo) Sizeof() int { return 48 }

// Put writes the struct's bytes to b.
func (s *FBCSessionInfo) Put(b []byte) {
	clear(b[:48])
	le.PutUint32(b[0:], uint32(s.SessionId))
	le.PutUint32(b[4:], uint32(s.Pid))
	le.PutUint32(b[8:], uint32(s.VgpuInstance))
	le.PutUint32(b[12:], uint32(s.DisplayOrdinal))
	le.PutUint32(b[16:], uint32(s.SessionType))
	le.PutUint32(b[20:], uint32(s.SessionFlags))
	le.PutUint32(b[24:], uint32(s.HMaxResolution))
	le.PutUint32(b[28:], uint32(s.VMaxResolution))
	le.PutUint32(b[32:], uint32(s.HResolution))
	le.PutUint32(b[36:], uint32(s.VResolution))
	le.PutUint32(b[40:], uint32(s.AverageFPS))
	le.PutUint32(b[44:], uint32(s.AverageLatency))
}

// Get reads them from b.
func (s *FBCSessionInfo) Get(b []byte) {
	_ = b[47]
	s.SessionId = uint32(le.Uint32(b[0:]))
	s.Pid = uint32(le.Uint32(b[4:]))
	s.VgpuInstance = uint32(le.Uint32(b[8:]))
	s.DisplayOrdinal = uint32(le.Uint32(b[12:]))
	s.SessionType = FBCSessionType(le.Uint32(b[16:]))
	s.SessionFlags = uint32(le.Uint32(b[20:]))
	s.HMaxResolution = uint32(le.Uint32(b[24:]))
	s.VMaxResolution = uint32(le.Uint32(b[28:]))
	s.HResolution = uint32(le.Uint32(b[32:]))
	s.VResolution = uint32(le.Uint32(b[36:]))
	s.AverageFPS = uint32(le.Uint32(b[40:]))
	s.AverageLatency = uint32(le.Uint32(b[44:]))
}

// VgpuVersion is nvmlVgpuVersion_t, 8 bytes.
type VgpuVersion struct {
	MinVersion uint32
	MaxVersion uint32
}

// Sizeof is the struct's size in bytes.
func (VgpuVersion) Sizeof() int { return 8 }

// Put writes the struct's bytes to b.
func (s *VgpuVersion) Put(b []byte) {
	clear(b[:8])
	le.PutUint32(b[0:], uint32(s.MinVersion))
	le.PutUint32(b[4:], uint32(s.MaxVersion))
}

// Get reads them from b.
func (s *VgpuVersion) Get(b []byte) {
	_ = b[7]
	s.MinVersion = uint32(le.Uint32(b[0:]))
	s.MaxVersion = uint32(le.Uint32(b[4:]))
}

// VgpuMetadata is nvmlVgpuMetadata_t, 212 bytes.
type VgpuMetadata struct {
	Version                uint32
	Revision               uint32
	GuestInfoState         VgpuGuestInfoState
	GuestDriverVersion     string // at most 79 bytes
	HostDriverVersion      string // at most 79 bytes
	Reserved               [6]uint32
	VgpuVirtualizationCaps uint32
	GuestVgpuVersion       uint32
	OpaqueDataSize         uint32
	OpaqueData             string // at most 3 bytes
}

// Sizeof is the struct's size in bytes.
func (VgpuMetadata) Sizeof() int { return 212 }

// Put writes the struct's bytes to b.
func (s *VgpuMetadata) Put(b []byte) {
	clear(b[:212])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.Revision))
	le.PutUint32(b[8:], uint32(s.GuestInfoState))
	putText(b[12:92], s.GuestDriverVersion)
	putText(b[92:172], s.HostDriverVersion)
	for i := range s.Reserved {
		le.PutUint32(b[172+i*4:], uint32(s.Reserved[i]))
	}
	le.PutUint32(b[196:], uint32(s.VgpuVirtualizationCaps))
	le.PutUint32(b[200:], uint32(s.GuestVgpuVersion))
	le.PutUint32(b[204:], uint32(s.OpaqueDataSize))
	putText(b[208:212], s.OpaqueData)
}

// Get reads them from b.
func (s *VgpuMetadata) Get(b []byte) {
	_ = b[211]
	s.Version = uint32(le.Uint32(b[0:]))
	s.Revision = uint32(le.Uint32(b[4:]))
	s.GuestInfoState = VgpuGuestInfoState(le.Uint32(b[8:]))
	s.GuestDriverVersion = text(b[12:92])
	s.HostDriverVersion = text(b[92:172])
	for i := range s.Reserved {
		s.Reserved[i] = uint32(le.Uint32(b[172+i*4:]))
	}
	s.VgpuVirtualizationCaps = uint32(le.Uint32(b[196:]))
	s.GuestVgpuVersion = uint32(le.Uint32(b[200:]))
	s.OpaqueDataSize = uint32(le.Uint32(b[204:]))
	s.OpaqueData = text(b[208:212])
}

// VgpuPgpuMetadata is nvmlVgpuPgpuMetadata_t, 128 bytes.
type VgpuPgpuMetadata struct {
	Version                uint32
	Revision               uint32
	HostDriverVersion      string // at most 79 bytes
	PgpuVirtualizationCaps uint32
	Reserved               [5]uint32
	HostSupportedVgpuRange VgpuVersion
	OpaqueDataSize         uint32
	OpaqueData             string // at most 3 bytes
}

// Sizeof is the struct's size in bytes.
func (VgpuPgpuMetadata) Sizeof() int { return 128 }

// Put writes the struct's bytes to b.
func (s *VgpuPgpuMetadata) Put(b []byte) {
	clear(b[:128])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.Revision))
	putText(b[8:88], s.HostDriverVersion)
	le.PutUint32(b[88:], uint32(s.PgpuVirtualizationCaps))
	for i := range s.Reserved {
		le.PutUint32(b[92+i*4:], uint32(s.Reserved[i]))
	}
	s.HostSupportedVgpuRange.Put(b[112:])
	le.PutUint32(b[120:], uint32(s.OpaqueDataSize))
	putText(b[124:128], s.OpaqueData)
}

// Get reads them from b.
func (s *VgpuPgpuMetadata) Get(b []byte) {
	_ = b[127]
	s.Version = uint32(le.Uint32(b[0:]))
	s.Revision = uint32(le.Uint32(b[4:]))
	s.HostDriverVersion = text(b[8:88])
	s.PgpuVirtualizationCaps = uint32(le.Uint32(b[88:]))
	for i := range s.Reserved {
		s.Reserved[i] = uint32(le.Uint32(b[92+i*4:]))
	}
	s.HostSupportedVgpuRange.Get(b[112:])
	s.OpaqueDataSize = uint32(le.Uint32(b[120:]))
	s.OpaqueData = text(b[124:128])
}

// VgpuPgpuCompatibility is nvmlVgpuPgpuCompatibility_t, 8 bytes.
type VgpuPgpuCompatibility struct {
	VgpuVmCompatibility    VgpuVmCompatibility
	CompatibilityLimitCode VgpuPgpuCompatibilityLimitCode
}

// Sizeof is the struct's size in bytes.
func (VgpuPgpuCompatibility) Sizeof() int { return 8 }

// Put writes the struct's bytes to b.
func (s *VgpuPgpuCompatibility) Put(b []byte) {
	clear(b[:8])
	le.PutUint32(b[0:], uint32(s.VgpuVmCompatibility))
	le.PutUint32(b[4:], uint32(s.CompatibilityLimitCode))
}

// Get reads them from b.
func (s *VgpuPgpuCompatibility) Get(b []byte) {
	_ = b[7]
	s.VgpuVmCompatibility = VgpuVmCompatibility(le.Uint32(b[0:]))
	s.CompatibilityLimitCode = VgpuPgpuCompatibilityLimitCode(le.Uint32(b[4:]))
}

// ExcludedDeviceInfo is nvmlExcludedDeviceInfo_t, 148 bytes.
type ExcludedDeviceInfo struct {
	PciInfo PciInfo
	Uuid    string // at most 79 bytes
}

// Sizeof is the struct's size in bytes.
func (ExcludedDeviceInfo) Sizeof() int { return 148 }

// Put writes the struct's bytes to b.
func (s *ExcludedDeviceInfo) Put(b []byte) {
	clear(b[:148])
	s.PciInfo.Put(b[0:])
	putText(b[68:148], s.Uuid)
}

// Get reads them from b.
func (s *ExcludedDeviceInfo) Get(b []byte) {
	_ = b[147]
	s.PciInfo.Get(b[0:])
	s.Uuid = text(b[68:148])
}

// GpuInstancePlacement is nvmlGpuInstancePlacement_t, 8 bytes.
type GpuInstancePlacement struct {
	Start uint32
	Size  uint32
}

// Sizeof is the struct's size in bytes.
func (GpuInstancePlacement) Sizeof() int { return 8 }

// Put writes the struct's bytes to b.
func (s *GpuInstancePlacement) Put(b []byte) {
	clear(b[:8])
	le.PutUint32(b[0:], uint32(s.Start))
	le.PutUint32(b[4:], uint32(s.Size))
}

// Get reads them from b.
func (s *GpuInstancePlacement) Get(b []byte) {
	_ = b[7]
	s.Start = uint32(le.Uint32(b[0:]))
	s.Size = uint32(le.Uint32(b[4:]))
}

// GpuInstanceProfileInfo is nvmlGpuInstanceProfileInfo_t, 48 bytes.
type GpuInstanceProfileInfo struct {
	Id                  uint32
	IsP2pSupported      uint32
	SliceCount          uint32
	InstanceCount       uint32
	MultiprocessorCount uint32
	CopyEngineCount     uint32
	DecoderCount        uint32
	EncoderCount        uint32
	JpegCount           uint32
	OfaCount            uint32
	MemorySizeMB        uint64
}

// Sizeof is the struct's size in bytes.
func (GpuInstanceProfileInfo) Sizeof() int { return 48 }

// Put writes the struct's bytes to b.
func (s *GpuInstanceProfileInfo) Put(b []byte) {
	clear(b[:48])
	le.PutUint32(b[0:], uint32(s.Id))
	le.PutUint32(b[4:], uint32(s.IsP2pSupported))
	le.PutUint32(b[8:], uint32(s.SliceCount))
	le.PutUint32(b[12:], uint32(s.InstanceCount))
	le.PutUint32(b[16:], uint32(s.MultiprocessorCount))
	le.PutUint32(b[20:], uint32(s.CopyEngineCount))
	le.PutUint32(b[24:], uint32(s.DecoderCount))
	le.PutUint32(b[28:], uint32(s.EncoderCount))
	le.PutUint32(b[32:], uint32(s.JpegCount))
	le.PutUint32(b[36:], uint32(s.OfaCount))
	le.PutUint64(b[40:], uint64(s.MemorySizeMB))
}

// Get reads them from b.
func (s *GpuInstanceProfileInfo) Get(b []byte) {
	_ = b[47]
	s.Id = uint32(le.Uint32(b[0:]))
	s.IsP2pSupported = uint32(le.Uint32(b[4:]))
	s.SliceCount = uint32(le.Uint32(b[8:]))
	s.InstanceCount = uint32(le.Uint32(b[12:]))
	s.MultiprocessorCount = uint32(le.Uint32(b[16:]))
	s.CopyEngineCount = uint32(le.Uint32(b[20:]))
	s.DecoderCount = uint32(le.Uint32(b[24:]))
	s.EncoderCount = uint32(le.Uint32(b[28:]))
	s.JpegCount = uint32(le.Uint32(b[32:]))
	s.OfaCount = uint32(le.Uint32(b[36:]))
	s.MemorySizeMB = uint64(le.Uint64(b[40:]))
}

// GpuInstanceProfileInfo_v2 is nvmlGpuInstanceProfileInfo_v2_t, 152 bytes.
type GpuInstanceProfileInfo_v2 struct {
	Version             uint32
	Id                  uint32
	IsP2pSupported      uint32
	SliceCount          uint32
	InstanceCount       uint32
	MultiprocessorCount uint32
	CopyEngineCount     uint32
	DecoderCount        uint32
	EncoderCount        uint32
	JpegCount           uint32
	OfaCount            uint32
	MemorySizeMB        uint64
	Name                string // at most 95 bytes
}

// Sizeof is the struct's size in bytes.
func (GpuInstanceProfileInfo_v2) Sizeof() int { return 152 }

// Put writes the struct's bytes to b.
func (s *GpuInstanceProfileInfo_v2) Put(b []byte) {
	clear(b[:152])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.Id))
	le.PutUint32(b[8:], uint32(s.IsP2pSupported))
	le.PutUint32(b[12:], uint32(s.SliceCount))
	le.PutUint32(b[16:], uint32(s.InstanceCount))
	le.PutUint32(b[20:], uint32(s.MultiprocessorCount))
	le.PutUint32(b[24:], uint32(s.CopyEngineCount))
	le.PutUint32(b[28:], uint32(s.DecoderCount))
	le.PutUint32(b[32:], uint32(s.EncoderCount))
	le.PutUint32(b[36:], uint32(s.JpegCount))
	le.PutUint32(b[40:], uint32(s.OfaCount))
	le.PutUint64(b[48:], uint64(s.MemorySizeMB))
	putText(b[56:152], s.Name)
}

// Get reads them from b.
func (s *GpuInstanceProfileInfo_v2) Get(b []byte) {
	_ = b[151]
	s.Version = uint32(le.Uint32(b[0:]))
	s.Id = uint32(le.Uint32(b[4:]))
	s.IsP2pSupported = uint32(le.Uint32(b[8:]))
	s.SliceCount = uint32(le.Uint32(b[12:]))
	s.InstanceCount = uint32(le.Uint32(b[16:]))
	s.MultiprocessorCount = uint32(le.Uint32(b[20:]))
	s.CopyEngineCount = uint32(le.Uint32(b[24:]))
	s.DecoderCount = uint32(le.Uint32(b[28:]))
	s.EncoderCount = uint32(le.Uint32(b[32:]))
	s.JpegCount = uint32(le.Uint32(b[36:]))
	s.OfaCount = uint32(le.Uint32(b[40:]))
	s.MemorySizeMB = uint64(le.Uint64(b[48:]))
	s.Name = text(b[56:152])
}

func (s *GpuInstanceProfileInfo_v2) version() *uint32 { return &s.Version }

func (GpuInstanceProfileInfo_v2) versionWord() uint32 { return 152 | 2<<24 }

// GpuInstanceInfo is nvmlGpuInstanceInfo_t, 24 bytes.
type GpuInstanceInfo struct {
	Device    Device
	Id        uint32
	ProfileId uint32
	Placement GpuInstancePlacement
}

// Sizeof is the struct's size in bytes.
func (GpuInstanceInfo) Sizeof() int { return 24 }

// Put writes the struct's bytes to b.
func (s *GpuInstanceInfo) Put(b []byte) {
	clear(b[:24])
	le.PutUint64(b[0:], uint64(s.Device))
	le.PutUint32(b[8:], uint32(s.Id))
	le.PutUint32(b[12:], uint32(s.ProfileId))
	s.Placement.Put(b[16:])
}

// Get reads them from b.
func (s *GpuInstanceInfo) Get(b []byte) {
	_ = b[23]
	s.Device = Device(le.Uint64(b[0:]))
	s.Id = uint32(le.Uint32(b[8:]))
	s.ProfileId = uint32(le.Uint32(b[12:]))
	s.Placement.Get(b[16:])
}

// ComputeInstancePlacement is nvmlComputeInstancePlacement_t, 8 bytes.
type ComputeInstancePlacement struct {
	Start uint32
	Size  uint32
}

// Sizeof is the struct's size in bytes.
func (ComputeInstancePlacement) Sizeof() int { return 8 }

// Put writes the struct's bytes to b.
func (s *ComputeInstancePlacement) Put(b []byte) {
	clear(b[:8])
	le.PutUint32(b[0:], uint32(s.Start))
	le.PutUint32(b[4:], uint32(s.Size))
}

// Get reads them from b.
func (s *ComputeInstancePlacement) Get(b []byte) {
	_ = b[7]
	s.Start = uint32(le.Uint32(b[0:]))
	s.Size = uint32(le.Uint32(b[4:]))
}

// ComputeInstanceProfileInfo is nvmlComputeInstanceProfileInfo_t, 36 bytes.
type ComputeInstanceProfileInfo struct {
	Id                    uint32
	SliceCount            uint32
	InstanceCount         uint32
	MultiprocessorCount   uint32
	SharedCopyEngineCount uint32
	SharedDecoderCount    uint32
	SharedEncoderCount    uint32
	SharedJpegCount       uint32
	SharedOfaCount        uint32
}

// Sizeof is the struct's size in bytes.
func (ComputeInstanceProfileInfo) Sizeof() int { return 36 }

// Put writes the struct's bytes to b.
func (s *ComputeInstanceProfileInfo) Put(b []byte) {
	clear(b[:36])
	le.PutUint32(b[0:], uint32(s.Id))
	le.PutUint32(b[4:], uint32(s.SliceCount))
	le.PutUint32(b[8:], uint32(s.InstanceCount))
	le.PutUint32(b[12:], uint32(s.MultiprocessorCount))
	le.PutUint32(b[16:], uint32(s.SharedCopyEngineCount))
	le.PutUint32(b[20:], uint32(s.SharedDecoderCount))
	le.PutUint32(b[24:], uint32(s.SharedEncoderCount))
	le.PutUint32(b[28:], uint32(s.SharedJpegCount))
	le.PutUint32(b[32:], uint32(s.SharedOfaCount))
}

// Get reads them from b.
func (s *ComputeInstanceProfileInfo) Get(b []byte) {
	_ = b[35]
	s.Id = uint32(le.Uint32(b[0:]))
	s.SliceCount = uint32(le.Uint32(b[4:]))
	s.InstanceCount = uint32(le.Uint32(b[8:]))
	s.MultiprocessorCount = uint32(le.Uint32(b[12:]))
	s.SharedCopyEngineCount = uint32(le.Uint32(b[16:]))
	s.SharedDecoderCount = uint32(le.Uint32(b[20:]))
	s.SharedEncoderCount = uint32(le.Uint32(b[24:]))
	s.SharedJpegCount = uint32(le.Uint32(b[28:]))
	s.SharedOfaCount = uint32(le.Uint32(b[32:]))
}

// ComputeInstanceProfileInfo_v2 is nvmlComputeInstanceProfileInfo_v2_t, 136 bytes.
type ComputeInstanceProfileInfo_v2 struct {
	Version               uint32
	Id                    uint32
	SliceCount            uint32
	InstanceCount         uint32
	MultiprocessorCount   uint32
	SharedCopyEngineCount uint32
	SharedDecoderCount    uint32
	SharedEncoderCount    uint32
	SharedJpegCount       uint32
	SharedOfaCount        uint32
	Name                  string // at most 95 bytes
}

// Sizeof is the struct's size in bytes.
func (ComputeInstanceProfileInfo_v2) Sizeof() int { return 136 }

// Put writes the struct's bytes to b.
func (s *ComputeInstanceProfileInfo_v2) Put(b []byte) {
	clear(b[:136])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.Id))
	le.PutUint32(b[8:], uint32(s.SliceCount))
	le.PutUint32(b[12:], uint32(s.InstanceCount))
	le.PutUint32(b[16:], uint32(s.MultiprocessorCount))
	le.PutUint32(b[20:], uint32(s.SharedCopyEngineCount))
	le.PutUint32(b[24:], uint32(s.SharedDecoderCount))
	le.PutUint32(b[28:], uint32(s.SharedEncoderCount))
	le.PutUint32(b[32:], uint32(s.SharedJpegCount))
	le.PutUint32(b[36:], uint32(s.SharedOfaCount))
	putText(b[40:136], s.Name)
}

// Get reads them from b.
func (s *ComputeInstanceProfileInfo_v2) Get(b []byte) {
	_ = b[135]
	s.Version = uint32(le.Uint32(b[0:]))
	s.Id = uint32(le.Uint32(b[4:]))
	s.SliceCount = uint32(le.Uint32(b[8:]))
	s.InstanceCount = uint32(le.Uint32(b[12:]))
	s.MultiprocessorCount = uint32(le.Uint32(b[16:]))
	s.SharedCopyEngineCount = uint32(le.Uint32(b[20:]))
	s.SharedDecoderCount = uint32(le.Uint32(b[24:]))
	s.SharedEncoderCount = uint32(le.Uint32(b[28:]))
	s.SharedJpegCount = uint32(le.Uint32(b[32:]))
	s.SharedOfaCount = uint32(le.Uint32(b[36:]))
	s.Name = text(b[40:136])
}

func (s *ComputeInstanceProfileInfo_v2) version() *uint32 { return &s.Version }

func (ComputeInstanceProfileInfo_v2) versionWord() uint32 { return 136 | 2<<24 }

// ComputeInstanceInfo is nvmlComputeInstanceInfo_t, 32 bytes.
type ComputeInstanceInfo struct {
	Device      Device
	GpuInstance GpuInstance
	Id          uint32
	ProfileId   uint32
	Placement   ComputeInstancePlacement
}

// Sizeof is the struct's size in bytes.
func (ComputeInstanceInfo) Sizeof() int { return 32 }

// Put writes the struct's bytes to b.
func (s *ComputeInstanceInfo) Put(b []byte) {
	clear(b[:32])
	le.PutUint64(b[0:], uint64(s.Device))
	le.PutUint64(b[8:], uint64(s.GpuInstance))
	le.PutUint32(b[16:], uint32(s.Id))
	le.PutUint32(b[20:], uint32(s.ProfileId))
	s.Placement.Put(b[24:])
}

// Get reads them from b.
func (s *ComputeInstanceInfo) Get(b []byte) {
	_ = b[31]
	s.Device = Device(le.Uint64(b[0:]))
	s.GpuInstance = GpuInstance(le.Uint64(b[8:]))
	s.Id = uint32(le.Uint32(b[16:]))
	s.ProfileId = uint32(le.Uint32(b[20:]))
	s.Placement.Get(b[24:])
}

// GpmSupport is nvmlGpmSupport_t, 8 bytes.
type GpmSupport struct {
	Version           uint32
	IsSupportedDevice uint32
}

// Sizeof is the struct's size in bytes.
func (GpmSupport) Sizeof() int { return 8 }

// Put writes the struct's bytes to b.
func (s *GpmSupport) Put(b []byte) {
	clear(b[:8])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.IsSupportedDevice))
}

// Get reads them from b.
func (s *GpmSupport) Get(b []byte) {
	_ = b[7]
	s.Version = uint32(le.Uint32(b[0:]))
	s.IsSupportedDevice = uint32(le.Uint32(b[4:]))
}

// GpmMetric is nvmlGpmMetric_t, 40 bytes.
type GpmMetric struct {
	MetricId   uint32
	NvmlReturn Return
	Value      float64
	MetricInfo GpmMetricMetricInfo
}

// Sizeof is the struct's size in bytes.
func (GpmMetric) Sizeof() int { return 40 }

// Put writes the struct's bytes to b.
func (s *GpmMetric) Put(b []byte) {
	clear(b[:40])
	le.PutUint32(b[0:], uint32(s.MetricId))
	le.PutUint32(b[4:], uint32(s.NvmlReturn))
	le.PutUint64(b[8:], math.Float64bits(s.Value))
	s.MetricInfo.Put(b[16:])
}

// Get reads them from b.
func (s *GpmMetric) Get(b []byte) {
	_ = b[39]
	s.MetricId = uint32(le.Uint32(b[0:]))
	s.NvmlReturn = Return(le.Uint32(b[4:]))
	s.Value = math.Float64frombits(le.Uint64(b[8:]))
	s.MetricInfo.Get(b[16:])
}

// GpmMetricMetricInfo is a part of GpmMetric, 24 bytes.
type GpmMetricMetricInfo struct {
}

// Sizeof is the struct's size in bytes.
func (GpmMetricMetricInfo) Sizeof() int { return 24 }

// Put writes the struct's bytes to b.
func (s *GpmMetricMetricInfo) Put(b []byte) {
	clear(b[:24])
}

// Get reads them from b.
func (s *GpmMetricMetricInfo) Get(b []byte) {
	_ = b[23]
}

// GpmMetricsGet is nvmlGpmMetricsGet_t, 8424 bytes.
type GpmMetricsGet struct {
	Version    uint32
	NumMetrics uint32
	Sample1    GpmSample
	Sample2    GpmSample
	Metrics    [210]GpmMetric
}

// Sizeof is the struct's size in bytes.
func (GpmMetricsGet) Sizeof() int { return 8424 }

// Put writes the struct's bytes to b.
func (s *GpmMetricsGet) Put(b []byte) {
	clear(b[:8424])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.NumMetrics))
	le.PutUint64(b[8:], uint64(s.Sample1))
	le.PutUint64(b[16:], uint64(s.Sample2))
	for i := range s.Metrics {
		s.Metrics[i].Put(b[24+i*40:])
	}
}

// Get reads them from b.
func (s *GpmMetricsGet) Get(b []byte) {
	_ = b[8423]
	s.Version = uint32(le.Uint32(b[0:]))
	s.NumMetrics = uint32(le.Uint32(b[4:]))
	s.Sample1 = GpmSample(le.Uint64(b[8:]))
	s.Sample2 = GpmSample(le.Uint64(b[16:]))
	for i := range s.Metrics {
		s.Metrics[i].Get(b[24+i*40:])
	}
}

// PciInfo_v2 is nvmlPciInfo_v2_t, 52 bytes.
type PciInfo_v2 struct {
	BusId          string // at most 15 bytes
	Domain         uint32
	Bus            uint32
	Device         uint32
	PciDeviceId    uint32
	PciSubSystemId uint32
	Reserved0      uint32
	Reserved1      uint32
	Reserved2      uint32
	Reserved3      uint32
}

// Sizeof is the struct's size in bytes.
func (PciInfo_v2) Sizeof() int { return 52 }

// Put writes the struct's bytes to b.
func (s *PciInfo_v2) Put(b []byte) {
	clear(b[:52])
	putText(b[0:16], s.BusId)
	le.PutUint32(b[16:], uint32(s.Domain))
	le.PutUint32(b[20:], uint32(s.Bus))
	le.PutUint32(b[24:], uint32(s.Device))
	le.PutUint32(b[28:], uint32(s.PciDeviceId))
	le.PutUint32(b[32:], uint32(s.PciSubSystemId))
	le.PutUint32(b[36:], uint32(s.Reserved0))
	le.PutUint32(b[40:], uint32(s.Reserved1))
	le.PutUint32(b[44:], uint32(s.Reserved2))
	le.PutUint32(b[48:], uint32(s.Reserved3))
}

// Get reads them from b.
func (s *PciInfo_v2) Get(b []byte) {
	_ = b[51]
	s.BusId = text(b[0:16])
	s.Domain = uint32(le.Uint32(b[16:]))
	s.Bus = uint32(le.Uint32(b[20:]))
	s.Device = uint32(le.Uint32(b[24:]))
	s.PciDeviceId = uint32(le.Uint32(b[28:]))
	s.PciSubSystemId = uint32(le.Uint32(b[32:]))
	s.Reserved0 = uint32(le.Uint32(b[36:]))
	s.Reserved1 = uint32(le.Uint32(b[40:]))
	s.Reserved2 = uint32(le.Uint32(b[44:]))
	s.Reserved3 = uint32(le.Uint32(b[48:]))
}

// PciInfoExt_v1 is nvmlPciInfoExt_v1_t, 64 bytes.
type PciInfoExt_v1 struct {
	Version        uint32
	Domain         uint32
	Bus            uint32
	Device         uint32
	PciDeviceId    uint32
	PciSubSystemId uint32
	BaseClass      uint32
	SubClass       uint32
	BusId          string // at most 31 bytes
}

// Sizeof is the struct's size in bytes.
func (PciInfoExt_v1) Sizeof() int { return 64 }

// Put writes the struct's bytes to b.
func (s *PciInfoExt_v1) Put(b []byte) {
	clear(b[:64])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.Domain))
	le.PutUint32(b[8:], uint32(s.Bus))
	le.PutUint32(b[12:], uint32(s.Device))
	le.PutUint32(b[16:], uint32(s.PciDeviceId))
	le.PutUint32(b[20:], uint32(s.PciSubSystemId))
	le.PutUint32(b[24:], uint32(s.BaseClass))
	le.PutUint32(b[28:], uint32(s.SubClass))
	putText(b[32:64], s.BusId)
}

// Get reads them from b.
func (s *PciInfoExt_v1) Get(b []byte) {
	_ = b[63]
	s.Version = uint32(le.Uint32(b[0:]))
	s.Domain = uint32(le.Uint32(b[4:]))
	s.Bus = uint32(le.Uint32(b[8:]))
	s.Device = uint32(le.Uint32(b[12:]))
	s.PciDeviceId = uint32(le.Uint32(b[16:]))
	s.PciSubSystemId = uint32(le.Uint32(b[20:]))
	s.BaseClass = uint32(le.Uint32(b[24:]))
	s.SubClass = uint32(le.Uint32(b[28:]))
	s.BusId = text(b[32:64])
}

func (s *PciInfoExt_v1) version() *uint32 { return &s.Version }

func (PciInfoExt_v1) versionWord() uint32 { return 64 | 1<<24 }

// SystemDriverBranchInfo_v1 is nvmlSystemDriverBranchInfo_v1_t, 84 bytes.
type SystemDriverBranchInfo_v1 struct {
	Version uint32
	Branch  string // at most 79 bytes
}

// Sizeof is the struct's size in bytes.
func (SystemDriverBranchInfo_v1) Sizeof() int { return 84 }

// Put writes the struct's bytes to b.
func (s *SystemDriverBranchInfo_v1) Put(b []byte) {
	clear(b[:84])
	le.PutUint32(b[0:], uint32(s.Version))
	putText(b[4:84], s.Branch)
}

// Get reads them from b.
func (s *SystemDriverBranchInfo_v1) Get(b []byte) {
	_ = b[83]
	s.Version = uint32(le.Uint32(b[0:]))
	s.Branch = text(b[4:84])
}

func (s *SystemDriverBranchInfo_v1) version() *uint32 { return &s.Version }

func (SystemDriverBranchInfo_v1) versionWord() uint32 { return 84 | 1<<24 }

// C2cModeInfo_v1 is nvmlC2cModeInfo_v1_t, 4 bytes.
type C2cModeInfo_v1 struct {
	IsC2cEnabled uint32
}

// Sizeof is the struct's size in bytes.
func (C2cModeInfo_v1) Sizeof() int { return 4 }

// Put writes the struct's bytes to b.
func (s *C2cModeInfo_v1) Put(b []byte) {
	clear(b[:4])
	le.PutUint32(b[0:], uint32(s.IsC2cEnabled))
}

// Get reads them from b.
func (s *C2cModeInfo_v1) Get(b []byte) {
	_ = b[3]
	s.IsC2cEnabled = uint32(le.Uint32(b[0:]))
}

// UUID_v1 is nvmlUUID_v1_t, 52 bytes.
type UUID_v1 struct {
	Version uint32
	Type    UUIDType
	Value   [41]byte // a union
}

// Sizeof is the struct's size in bytes.
func (UUID_v1) Sizeof() int { return 52 }

// Put writes the struct's bytes to b.
func (s *UUID_v1) Put(b []byte) {
	clear(b[:52])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.Type))
	copy(b[8:], s.Value[:])
}

// Get reads them from b.
func (s *UUID_v1) Get(b []byte) {
	_ = b[51]
	s.Version = uint32(le.Uint32(b[0:]))
	s.Type = UUIDType(le.Uint32(b[4:]))
	copy(s.Value[:], b[8:])
}

func (s *UUID_v1) version() *uint32 { return &s.Version }

func (UUID_v1) versionWord() uint32 { return 52 | 1<<24 }

// Pdi_v1 is nvmlPdi_v1_t, 16 bytes.
type Pdi_v1 struct {
	Version uint32
	Value   uint64
}

// Sizeof is the struct's size in bytes.
func (Pdi_v1) Sizeof() int { return 16 }

// Put writes the struct's bytes to b.
func (s *Pdi_v1) Put(b []byte) {
	clear(b[:16])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint64(b[8:], uint64(s.Value))
}

// Get reads them from b.
func (s *Pdi_v1) Get(b []byte) {
	_ = b[15]
	s.Version = uint32(le.Uint32(b[0:]))
	s.Value = uint64(le.Uint64(b[8:]))
}

func (s *Pdi_v1) version() *uint32 { return &s.Version }

func (Pdi_v1) versionWord() uint32 { return 16 | 1<<24 }

// RepairStatus_v1 is nvmlRepairStatus_v1_t, 12 bytes.
type RepairStatus_v1 struct {
	Version               uint32
	BChannelRepairPending uint32
	BTpcRepairPending     uint32
}

// Sizeof is the struct's size in bytes.
func (RepairStatus_v1) Sizeof() int { return 12 }

// Put writes the struct's bytes to b.
func (s *RepairStatus_v1) Put(b []byte) {
	clear(b[:12])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.BChannelRepairPending))
	le.PutUint32(b[8:], uint32(s.BTpcRepairPending))
}

// Get reads them from b.
func (s *RepairStatus_v1) Get(b []byte) {
	_ = b[11]
	s.Version = uint32(le.Uint32(b[0:]))
	s.BChannelRepairPending = uint32(le.Uint32(b[4:]))
	s.BTpcRepairPending = uint32(le.Uint32(b[8:]))
}

func (s *RepairStatus_v1) version() *uint32 { return &s.Version }

func (RepairStatus_v1) versionWord() uint32 { return 12 | 1<<24 }

// DeviceAddressingMode_v1 is nvmlDeviceAddressingMode_v1_t, 8 bytes.
type DeviceAddressingMode_v1 struct {
	Version uint32
	Value   uint32
}

// Sizeof is the struct's size in bytes.
func (DeviceAddressingMode_v1) Sizeof() int { return 8 }

// Put writes the struct's bytes to b.
func (s *DeviceAddressingMode_v1) Put(b []byte) {
	clear(b[:8])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.Value))
}

// Get reads them from b.
func (s *DeviceAddressingMode_v1) Get(b []byte) {
	_ = b[7]
	s.Version = uint32(le.Uint32(b[0:]))
	s.Value = uint32(le.Uint32(b[4:]))
}

func (s *DeviceAddressingMode_v1) version() *uint32 { return &s.Version }

func (DeviceAddressingMode_v1) versionWord() uint32 { return 8 | 1<<24 }

// DeviceCapabilities_v1 is nvmlDeviceCapabilities_v1_t, 8 bytes.
type DeviceCapabilities_v1 struct {
	Version uint32
	CapMask uint32
}

// Sizeof is the struct's size in bytes.
func (DeviceCapabilities_v1) Sizeof() int { return 8 }

// Put writes the struct's bytes to b.
func (s *DeviceCapabilities_v1) Put(b []byte) {
	clear(b[:8])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.CapMask))
}

// Get reads them from b.
func (s *DeviceCapabilities_v1) Get(b []byte) {
	_ = b[7]
	s.Version = uint32(le.Uint32(b[0:]))
	s.CapMask = uint32(le.Uint32(b[4:]))
}

func (s *DeviceCapabilities_v1) version() *uint32 { return &s.Version }

func (DeviceCapabilities_v1) versionWord() uint32 { return 8 | 1<<24 }

// PlatformInfo_v1 is nvmlPlatformInfo_v1_t, 44 bytes.
type PlatformInfo_v1 struct {
	Version                   uint32
	IbGuid                    [16]byte
	RackGuid                  [16]byte
	ChassisPhysicalSlotNumber byte
	ComputeSlotIndex          byte
	NodeIndex                 byte
	PeerType                  byte
	ModuleId                  byte
}

// Sizeof is the struct's size in bytes.
func (PlatformInfo_v1) Sizeof() int { return 44 }

// Put writes the struct's bytes to b.
func (s *PlatformInfo_v1) Put(b []byte) {
	clear(b[:44])
	le.PutUint32(b[0:], uint32(s.Version))
	copy(b[4:], s.IbGuid[:])
	copy(b[20:], s.RackGuid[:])
	b[36] = byte(s.ChassisPhysicalSlotNumber)
	b[37] = byte(s.ComputeSlotIndex)
	b[38] = byte(s.NodeIndex)
	b[39] = byte(s.PeerType)
	b[40] = byte(s.ModuleId)
}

// Get reads them from b.
func (s *PlatformInfo_v1) Get(b []byte) {
	_ = b[43]
	s.Version = uint32(le.Uint32(b[0:]))
	copy(s.IbGuid[:], b[4:])
	copy(s.RackGuid[:], b[20:])
	s.ChassisPhysicalSlotNumber = byte(b[36])
	s.ComputeSlotIndex = byte(b[37])
	s.NodeIndex = byte(b[38])
	s.PeerType = byte(b[39])
	s.ModuleId = byte(b[40])
}

func (s *PlatformInfo_v1) version() *uint32 { return &s.Version }

func (PlatformInfo_v1) versionWord() uint32 { return 44 | 1<<24 }

// PlatformInfo_v2 is nvmlPlatformInfo_v2_t, 44 bytes.
type PlatformInfo_v2 struct {
	Version             uint32
	IbGuid              [16]byte
	ChassisSerialNumber [16]byte
	SlotNumber          byte
	TrayIndex           byte
	HostId              byte
	PeerType            byte
	ModuleId            byte
}

// Sizeof is the struct's size in bytes.
func (PlatformInfo_v2) Sizeof() int { return 44 }

// Put writes the struct's bytes to b.
func (s *PlatformInfo_v2) Put(b []byte) {
	clear(b[:44])
	le.PutUint32(b[0:], uint32(s.Version))
	copy(b[4:], s.IbGuid[:])
	copy(b[20:], s.ChassisSerialNumber[:])
	b[36] = byte(s.SlotNumber)
	b[37] = byte(s.TrayIndex)
	b[38] = byte(s.HostId)
	b[39] = byte(s.PeerType)
	b[40] = byte(s.ModuleId)
}

// Get reads them from b.
func (s *PlatformInfo_v2) Get(b []byte) {
	_ = b[43]
	s.Version = uint32(le.Uint32(b[0:]))
	copy(s.IbGuid[:], b[4:])
	copy(s.ChassisSerialNumber[:], b[20:])
	s.SlotNumber = byte(b[36])
	s.TrayIndex = byte(b[37])
	s.HostId = byte(b[38])
	s.PeerType = byte(b[39])
	s.ModuleId = byte(b[40])
}

func (s *PlatformInfo_v2) version() *uint32 { return &s.Version }

func (PlatformInfo_v2) versionWord() uint32 { return 44 | 2<<24 }

// ProcessDetail_v1 is nvmlProcessDetail_v1_t, 32 bytes.
type ProcessDetail_v1 struct {
	Pid                      uint32
	UsedGpuMemory            uint64
	GpuInstanceId            uint32
	ComputeInstanceId        uint32
	UsedGpuCcProtectedMemory uint64
}

// Sizeof is the struct's size in bytes.
func (ProcessDetail_v1) Sizeof() int { return 32 }

// Put writes the struct's bytes to b.
func (s *ProcessDetail_v1) Put(b []byte) {
	clear(b[:32])
	le.PutUint32(b[0:], uint32(s.Pid))
	le.PutUint64(b[8:], uint64(s.UsedGpuMemory))
	le.PutUint32(b[16:], uint32(s.GpuInstanceId))
	le.PutUint32(b[20:], uint32(s.ComputeInstanceId))
	le.PutUint64(b[24:], uint64(s.UsedGpuCcProtectedMemory))
}

// Get reads them from b.
func (s *ProcessDetail_v1) Get(b []byte) {
	_ = b[31]
	s.Pid = uint32(le.Uint32(b[0:]))
	s.UsedGpuMemory = uint64(le.Uint64(b[8:]))
	s.GpuInstanceId = uint32(le.Uint32(b[16:]))
	s.ComputeInstanceId = uint32(le.Uint32(b[20:]))
	s.UsedGpuCcProtectedMemory = uint64(le.Uint64(b[24:]))
}

// ProcessDetailList_v1 is nvmlProcessDetailList_v1_t, 24 bytes.
type ProcessDetailList_v1 struct {
	Version             uint32
	Mode                uint32
	NumProcArrayEntries uint32
}

// Sizeof is the struct's size in bytes.
func (ProcessDetailList_v1) Sizeof() int { return 24 }

// Put writes the struct's bytes to b.
func (s *ProcessDetailList_v1) Put(b []byte) {
	clear(b[:24])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.Mode))
	le.PutUint32(b[8:], uint32(s.NumProcArrayEntries))
}

// Get reads them from b.
func (s *ProcessDetailList_v1) Get(b []byte) {
	_ = b[23]
	s.Version = uint32(le.Uint32(b[0:]))
	s.Mode = uint32(le.Uint32(b[4:]))
	s.NumProcArrayEntries = uint32(le.Uint32(b[8:]))
}

func (s *ProcessDetailList_v1) version() *uint32 { return &s.Version }

func (ProcessDetailList_v1) versionWord() uint32 { return 24 | 1<<24 }

// ProcessUtilizationInfo_v1 is nvmlProcessUtilizationInfo_v1_t, 40 bytes.
type ProcessUtilizationInfo_v1 struct {
	TimeStamp uint64
	Pid       uint32
	SmUtil    uint32
	MemUtil   uint32
	EncUtil   uint32
	DecUtil   uint32
	JpgUtil   uint32
	OfaUtil   uint32
}

// Sizeof is the struct's size in bytes.
func (ProcessUtilizationInfo_v1) Sizeof() int { return 40 }

// Put writes the struct's bytes to b.
func (s *ProcessUtilizationInfo_v1) Put(b []byte) {
	clear(b[:40])
	le.PutUint64(b[0:], uint64(s.TimeStamp))
	le.PutUint32(b[8:], uint32(s.Pid))
	le.PutUint32(b[12:], uint32(s.SmUtil))
	le.PutUint32(b[16:], uint32(s.MemUtil))
	le.PutUint32(b[20:], uint32(s.EncUtil))
	le.PutUint32(b[24:], uint32(s.DecUtil))
	le.PutUint32(b[28:], uint32(s.JpgUtil))
	le.PutUint32(b[32:], uint32(s.OfaUtil))
}

// Get reads them from b.
func (s *ProcessUtilizationInfo_v1) Get(b []byte) {
	_ = b[39]
	s.TimeStamp = uint64(le.Uint64(b[0:]))
	s.Pid = uint32(le.Uint32(b[8:]))
	s.SmUtil = uint32(le.Uint32(b[12:]))
	s.MemUtil = uint32(le.Uint32(b[16:]))
	s.EncUtil = uint32(le.Uint32(b[20:]))
	s.DecUtil = uint32(le.Uint32(b[24:]))
	s.JpgUtil = uint32(le.Uint32(b[28:]))
	s.OfaUtil = uint32(le.Uint32(b[32:]))
}

// ProcessesUtilizationInfo_v1 is nvmlProcessesUtilizationInfo_v1_t, 24 bytes.
type ProcessesUtilizationInfo_v1 struct {
	Version             uint32
	ProcessSamplesCount uint32
	LastSeenTimeStamp   uint64
}

// Sizeof is the struct's size in bytes.
func (ProcessesUtilizationInfo_v1) Sizeof() int { return 24 }

// Put writes the struct's bytes to b.
func (s *ProcessesUtilizationInfo_v1) Put(b []byte) {
	clear(b[:24])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.ProcessSamplesCount))
	le.PutUint64(b[8:], uint64(s.LastSeenTimeStamp))
}

// Get reads them from b.
func (s *ProcessesUtilizationInfo_v1) Get(b []byte) {
	_ = b[23]
	s.Version = uint32(le.Uint32(b[0:]))
	s.ProcessSamplesCount = uint32(le.Uint32(b[4:]))
	s.LastSeenTimeStamp = uint64(le.Uint64(b[8:]))
}

func (s *ProcessesUtilizationInfo_v1) version() *uint32 { return &s.Version }

func (ProcessesUtilizationInfo_v1) versionWord() uint32 { return 24 | 1<<24 }

// ClockOffset_v1 is nvmlClockOffset_v1_t, 24 bytes.
type ClockOffset_v1 struct {
	Version           uint32
	Type              ClockType
	Pstate            Pstates
	ClockOffsetMHz    int32
	MinClockOffsetMHz int32
	MaxClockOffsetMHz int32
}

// Sizeof is the struct's size in bytes.
func (ClockOffset_v1) Sizeof() int { return 24 }

// Put writes the struct's bytes to b.
func (s *ClockOffset_v1) Put(b []byte) {
	clear(b[:24])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.Type))
	le.PutUint32(b[8:], uint32(s.Pstate))
	le.PutUint32(b[12:], uint32(s.ClockOffsetMHz))
	le.PutUint32(b[16:], uint32(s.MinClockOffsetMHz))
	le.PutUint32(b[20:], uint32(s.MaxClockOffsetMHz))
}

// Get reads them from b.
func (s *ClockOffset_v1) Get(b []byte) {
	_ = b[23]
	s.Version = uint32(le.Uint32(b[0:]))
	s.Type = ClockType(le.Uint32(b[4:]))
	s.Pstate = Pstates(le.Uint32(b[8:]))
	s.ClockOffsetMHz = int32(le.Uint32(b[12:]))
	s.MinClockOffsetMHz = int32(le.Uint32(b[16:]))
	s.MaxClockOffsetMHz = int32(le.Uint32(b[20:]))
}

func (s *ClockOffset_v1) version() *uint32 { return &s.Version }

func (ClockOffset_v1) versionWord() uint32 { return 24 | 1<<24 }

// DevicePerfModes_v1 is nvmlDevicePerfModes_v1_t, 2052 bytes.
type DevicePerfModes_v1 struct {
	Version uint32
	Str     string // at most 2047 bytes
}

// Sizeof is the struct's size in bytes.
func (DevicePerfModes_v1) Sizeof() int { return 2052 }

// Put writes the struct's bytes to b.
func (s *DevicePerfModes_v1) Put(b []byte) {
	clear(b[:2052])
	le.PutUint32(b[0:], uint32(s.Version))
	putText(b[4:2052], s.Str)
}

// Get reads them from b.
func (s *DevicePerfModes_v1) Get(b []byte) {
	_ = b[2051]
	s.Version = uint32(le.Uint32(b[0:]))
	s.Str = text(b[4:2052])
}

func (s *DevicePerfModes_v1) version() *uint32 { return &s.Version }

func (DevicePerfModes_v1) versionWord() uint32 { return 2052 | 1<<24 }

// DeviceCurrentClockFreqs_v1 is nvmlDeviceCurrentClockFreqs_v1_t, 2052 bytes.
type DeviceCurrentClockFreqs_v1 struct {
	Version uint32
	Str     string // at most 2047 bytes
}

// Sizeof is the struct's size in bytes.
func (DeviceCurrentClockFreqs_v1) Sizeof() int { return 2052 }

// Put writes the struct's bytes to b.
func (s *DeviceCurrentClockFreqs_v1) Put(b []byte) {
	clear(b[:2052])
	le.PutUint32(b[0:], uint32(s.Version))
	putText(b[4:2052], s.Str)
}

// Get reads them from b.
func (s *DeviceCurrentClockFreqs_v1) Get(b []byte) {
	_ = b[2051]
	s.Version = uint32(le.Uint32(b[0:]))
	s.Str = text(b[4:2052])
}

func (s *DeviceCurrentClockFreqs_v1) version() *uint32 { return &s.Version }

func (DeviceCurrentClockFreqs_v1) versionWord() uint32 { return 2052 | 1<<24 }

// FanSpeedInfo_v1 is nvmlFanSpeedInfo_v1_t, 12 bytes.
type FanSpeedInfo_v1 struct {
	Version uint32
	Fan     uint32
	Speed   uint32
}

// Sizeof is the struct's size in bytes.
func (FanSpeedInfo_v1) Sizeof() int { return 12 }

// Put writes the struct's bytes to b.
func (s *FanSpeedInfo_v1) Put(b []byte) {
	clear(b[:12])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.Fan))
	le.PutUint32(b[8:], uint32(s.Speed))
}

// Get reads them from b.
func (s *FanSpeedInfo_v1) Get(b []byte) {
	_ = b[11]
	s.Version = uint32(le.Uint32(b[0:]))
	s.Fan = uint32(le.Uint32(b[4:]))
	s.Speed = uint32(le.Uint32(b[8:]))
}

func (s *FanSpeedInfo_v1) version() *uint32 { return &s.Version }

func (FanSpeedInfo_v1) versionWord() uint32 { return 12 | 1<<24 }

// CoolerInfo_v1 is nvmlCoolerInfo_v1_t, 16 bytes.
type CoolerInfo_v1 struct {
	Version    uint32
	Index      uint32
	SignalType CoolerControl
	Target     CoolerTarget
}

// Sizeof is the struct's size in bytes.
func (CoolerInfo_v1) Sizeof() int { return 16 }

// Put writes the struct's bytes to b.
func (s *CoolerInfo_v1) Put(b []byte) {
	clear(b[:16])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.Index))
	le.PutUint32(b[8:], uint32(s.SignalType))
	le.PutUint32(b[12:], uint32(s.Target))
}

// Get reads them from b.
func (s *CoolerInfo_v1) Get(b []byte) {
	_ = b[15]
	s.Version = uint32(le.Uint32(b[0:]))
	s.Index = uint32(le.Uint32(b[4:]))
	s.SignalType = CoolerControl(le.Uint32(b[8:]))
	s.Target = CoolerTarget(le.Uint32(b[12:]))
}

func (s *CoolerInfo_v1) version() *uint32 { return &s.Version }

func (CoolerInfo_v1) versionWord() uint32 { return 16 | 1<<24 }

// Temperature_v1 is nvmlTemperature_v1_t, 12 bytes.
type Temperature_v1 struct {
	Version     uint32
	SensorType  TemperatureSensors
	Temperature int32
}

// Sizeof is the struct's size in bytes.
func (Temperature_v1) Sizeof() int { return 12 }

// Put writes the struct's bytes to b.
func (s *Temperature_v1) Put(b []byte) {
	clear(b[:12])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.SensorType))
	le.PutUint32(b[8:], uint32(s.Temperature))
}

// Get reads them from b.
func (s *Temperature_v1) Get(b []byte) {
	_ = b[11]
	s.Version = uint32(le.Uint32(b[0:]))
	s.SensorType = TemperatureSensors(le.Uint32(b[4:]))
	s.Temperature = int32(le.Uint32(b[8:]))
}

func (s *Temperature_v1) version() *uint32 { return &s.Version }

func (Temperature_v1) versionWord() uint32 { return 12 | 1<<24 }

// MarginTemperature_v1 is nvmlMarginTemperature_v1_t, 8 bytes.
type MarginTemperature_v1 struct {
	Version           uint32
	MarginTemperature int32
}

// Sizeof is the struct's size in bytes.
func (MarginTemperature_v1) Sizeof() int { return 8 }

// Put writes the struct's bytes to b.
func (s *MarginTemperature_v1) Put(b []byte) {
	clear(b[:8])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.MarginTemperature))
}

// Get reads them from b.
func (s *MarginTemperature_v1) Get(b []byte) {
	_ = b[7]
	s.Version = uint32(le.Uint32(b[0:]))
	s.MarginTemperature = int32(le.Uint32(b[4:]))
}

func (s *MarginTemperature_v1) version() *uint32 { return &s.Version }

func (MarginTemperature_v1) versionWord() uint32 { return 8 | 1<<24 }

// PowerValue_v2 is nvmlPowerValue_v2_t, 12 bytes.
type PowerValue_v2 struct {
	Version      uint32
	PowerScope   byte
	PowerValueMw uint32
}

// Sizeof is the struct's size in bytes.
func (PowerValue_v2) Sizeof() int { return 12 }

// Put writes the struct's bytes to b.
func (s *PowerValue_v2) Put(b []byte) {
	clear(b[:12])
	le.PutUint32(b[0:], uint32(s.Version))
	b[4] = byte(s.PowerScope)
	le.PutUint32(b[8:], uint32(s.PowerValueMw))
}

// Get reads them from b.
func (s *PowerValue_v2) Get(b []byte) {
	_ = b[11]
	s.Version = uint32(le.Uint32(b[0:]))
	s.PowerScope = byte(b[4])
	s.PowerValueMw = uint32(le.Uint32(b[8:]))
}

func (s *PowerValue_v2) version() *uint32 { return &s.Version }

func (PowerValue_v2) versionWord() uint32 { return 12 | 2<<24 }

// DevicePowerMizerModes_v1 is nvmlDevicePowerMizerModes_v1_t, 12 bytes.
type DevicePowerMizerModes_v1 struct {
	CurrentMode              uint32
	Mode                     uint32
	SupportedPowerMizerModes uint32
}

// Sizeof is the struct's size in bytes.
func (DevicePowerMizerModes_v1) Sizeof() int { return 12 }

// Put writes the struct's bytes to b.
func (s *DevicePowerMizerModes_v1) Put(b []byte) {
	clear(b[:12])
	le.PutUint32(b[0:], uint32(s.CurrentMode))
	le.PutUint32(b[4:], uint32(s.Mode))
	le.PutUint32(b[8:], uint32(s.SupportedPowerMizerModes))
}

// Get reads them from b.
func (s *DevicePowerMizerModes_v1) Get(b []byte) {
	_ = b[11]
	s.CurrentMode = uint32(le.Uint32(b[0:]))
	s.Mode = uint32(le.Uint32(b[4:]))
	s.SupportedPowerMizerModes = uint32(le.Uint32(b[8:]))
}

// Mask255 is nvmlMask255_t, 32 bytes.
type Mask255 struct {
	Mask [8]uint32
}

// Sizeof is the struct's size in bytes.
func (Mask255) Sizeof() int { return 32 }

// Put writes the struct's bytes to b.
func (s *Mask255) Put(b []byte) {
	clear(b[:32])
	for i := range s.Mask {
		le.PutUint32(b[0+i*4:], uint32(s.Mask[i]))
	}
}

// Get reads them from b.
func (s *Mask255) Get(b []byte) {
	_ = b[31]
	for i := range s.Mask {
		s.Mask[i] = uint32(le.Uint32(b[0+i*4:]))
	}
}

// WorkloadPowerProfileInfo_v1 is nvmlWorkloadPowerProfileInfo_v1_t, 44 bytes.
type WorkloadPowerProfileInfo_v1 struct {
	Version         uint32
	ProfileId       uint32
	Priority        uint32
	ConflictingMask Mask255
}

// Sizeof is the struct's size in bytes.
func (WorkloadPowerProfileInfo_v1) Sizeof() int { return 44 }

// Put writes the struct's bytes to b.
func (s *WorkloadPowerProfileInfo_v1) Put(b []byte) {
	clear(b[:44])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.ProfileId))
	le.PutUint32(b[8:], uint32(s.Priority))
	s.ConflictingMask.Put(b[12:])
}

// Get reads them from b.
func (s *WorkloadPowerProfileInfo_v1) Get(b []byte) {
	_ = b[43]
	s.Version = uint32(le.Uint32(b[0:]))
	s.ProfileId = uint32(le.Uint32(b[4:]))
	s.Priority = uint32(le.Uint32(b[8:]))
	s.ConflictingMask.Get(b[12:])
}

func (s *WorkloadPowerProfileInfo_v1) version() *uint32 { return &s.Version }

func (WorkloadPowerProfileInfo_v1) versionWord() uint32 { return 44 | 1<<24 }

// WorkloadPowerProfileProfilesInfo_v1 is nvmlWorkloadPowerProfileProfilesInfo_v1_t, 11256 bytes.
type WorkloadPowerProfileProfilesInfo_v1 struct {
	Version          uint32
	PerfProfilesMask Mask255
	PerfProfile      [255]WorkloadPowerProfileInfo_v1
}

// Sizeof is the struct's size in bytes.
func (WorkloadPowerProfileProfilesInfo_v1) Sizeof() int { return 11256 }

// Put writes the struct's bytes to b.
func (s *WorkloadPowerProfileProfilesInfo_v1) Put(b []byte) {
	clear(b[:11256])
	le.PutUint32(b[0:], uint32(s.Version))
	s.PerfProfilesMask.Put(b[4:])
	for i := range s.PerfProfile {
		s.PerfProfile[i].Put(b[36+i*44:])
	}
}

// Get reads them from b.
func (s *WorkloadPowerProfileProfilesInfo_v1) Get(b []byte) {
	_ = b[11255]
	s.Version = uint32(le.Uint32(b[0:]))
	s.PerfProfilesMask.Get(b[4:])
	for i := range s.PerfProfile {
		s.PerfProfile[i].Get(b[36+i*44:])
	}
}

func (s *WorkloadPowerProfileProfilesInfo_v1) version() *uint32 { return &s.Version }

func (WorkloadPowerProfileProfilesInfo_v1) versionWord() uint32 { return 11256 | 1<<24 }

// WorkloadPowerProfileCurrentProfiles_v1 is nvmlWorkloadPowerProfileCurrentProfiles_v1_t, 100 bytes.
type WorkloadPowerProfileCurrentProfiles_v1 struct {
	Version               uint32
	PerfProfilesMask      Mask255
	RequestedProfilesMask Mask255
	EnforcedProfilesMask  Mask255
}

// Sizeof is the struct's size in bytes.
func (WorkloadPowerProfileCurrentProfiles_v1) Sizeof() int { return 100 }

// Put writes the struct's bytes to b.
func (s *WorkloadPowerProfileCurrentProfiles_v1) Put(b []byte) {
	clear(b[:100])
	le.PutUint32(b[0:], uint32(s.Version))
	s.PerfProfilesMask.Put(b[4:])
	s.RequestedProfilesMask.Put(b[36:])
	s.EnforcedProfilesMask.Put(b[68:])
}

// Get reads them from b.
func (s *WorkloadPowerProfileCurrentProfiles_v1) Get(b []byte) {
	_ = b[99]
	s.Version = uint32(le.Uint32(b[0:]))
	s.PerfProfilesMask.Get(b[4:])
	s.RequestedProfilesMask.Get(b[36:])
	s.EnforcedProfilesMask.Get(b[68:])
}

func (s *WorkloadPowerProfileCurrentProfiles_v1) version() *uint32 { return &s.Version }

func (WorkloadPowerProfileCurrentProfiles_v1) versionWord() uint32 { return 100 | 1<<24 }

// WorkloadPowerProfileRequestedProfiles_v1 is nvmlWorkloadPowerProfileRequestedProfiles_v1_t, 36 bytes.
type WorkloadPowerProfileRequestedProfiles_v1 struct {
	Version               uint32
	RequestedProfilesMask Mask255
}

// Sizeof is the struct's size in bytes.
func (WorkloadPowerProfileRequestedProfiles_v1) Sizeof() int { return 36 }

// Put writes the struct's bytes to b.
func (s *WorkloadPowerProfileRequestedProfiles_v1) Put(b []byte) {
	clear(b[:36])
	le.PutUint32(b[0:], uint32(s.Version))
	s.RequestedProfilesMask.Put(b[4:])
}

// Get reads them from b.
func (s *WorkloadPowerProfileRequestedProfiles_v1) Get(b []byte) {
	_ = b[35]
	s.Version = uint32(le.Uint32(b[0:]))
	s.RequestedProfilesMask.Get(b[4:])
}

func (s *WorkloadPowerProfileRequestedProfiles_v1) version() *uint32 { return &s.Version }

func (WorkloadPowerProfileRequestedProfiles_v1) versionWord() uint32 { return 36 | 1<<24 }

// PowerSmoothingProfile_v1 is nvmlPowerSmoothingProfile_v1_t, 24 bytes.
type PowerSmoothingProfile_v1 struct {
	Version   uint32
	ProfileId uint32
	ParamId   uint32
	Value     float64
}

// Sizeof is the struct's size in bytes.
func (PowerSmoothingProfile_v1) Sizeof() int { return 24 }

// Put writes the struct's bytes to b.
func (s *PowerSmoothingProfile_v1) Put(b []byte) {
	clear(b[:24])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.ProfileId))
	le.PutUint32(b[8:], uint32(s.ParamId))
	le.PutUint64(b[16:], math.Float64bits(s.Value))
}

// Get reads them from b.
func (s *PowerSmoothingProfile_v1) Get(b []byte) {
	_ = b[23]
	s.Version = uint32(le.Uint32(b[0:]))
	s.ProfileId = uint32(le.Uint32(b[4:]))
	s.ParamId = uint32(le.Uint32(b[8:]))
	s.Value = math.Float64frombits(le.Uint64(b[16:]))
}

func (s *PowerSmoothingProfile_v1) version() *uint32 { return &s.Version }

func (PowerSmoothingProfile_v1) versionWord() uint32 { return 24 | 1<<24 }

// PowerSmoothingState_v1 is nvmlPowerSmoothingState_v1_t, 8 bytes.
type PowerSmoothingState_v1 struct {
	Version uint32
	State   EnableState
}

// Sizeof is the struct's size in bytes.
func (PowerSmoothingState_v1) Sizeof() int { return 8 }

// Put writes the struct's bytes to b.
func (s *PowerSmoothingState_v1) Put(b []byte) {
	clear(b[:8])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.State))
}

// Get reads them from b.
func (s *PowerSmoothingState_v1) Get(b []byte) {
	_ = b[7]
	s.Version = uint32(le.Uint32(b[0:]))
	s.State = EnableState(le.Uint32(b[4:]))
}

func (s *PowerSmoothingState_v1) version() *uint32 { return &s.Version }

func (PowerSmoothingState_v1) versionWord() uint32 { return 8 | 1<<24 }

// DramEncryptionInfo_v1 is nvmlDramEncryptionInfo_v1_t, 8 bytes.
type DramEncryptionInfo_v1 struct {
	Version         uint32
	EncryptionState EnableState
}

// Sizeof is the struct's size in bytes.
func (DramEncryptionInfo_v1) Sizeof() int { return 8 }

// Put writes the struct's bytes to b.
func (s *DramEncryptionInfo_v1) Put(b []byte) {
	clear(b[:8])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.EncryptionState))
}

// Get reads them from b.
func (s *DramEncryptionInfo_v1) Get(b []byte) {
	_ = b[7]
	s.Version = uint32(le.Uint32(b[0:]))
	s.EncryptionState = EnableState(le.Uint32(b[4:]))
}

func (s *DramEncryptionInfo_v1) version() *uint32 { return &s.Version }

func (DramEncryptionInfo_v1) versionWord() uint32 { return 8 | 1<<24 }

// EccSramErrorStatus_v1 is nvmlEccSramErrorStatus_v1_t, 104 bytes.
type EccSramErrorStatus_v1 struct {
	Version                 uint32
	AggregateUncParity      uint64
	AggregateUncSecDed      uint64
	AggregateCor            uint64
	VolatileUncParity       uint64
	VolatileUncSecDed       uint64
	VolatileCor             uint64
	AggregateUncBucketL2    uint64
	AggregateUncBucketSm    uint64
	AggregateUncBucketPcie  uint64
	AggregateUncBucketMcu   uint64
	AggregateUncBucketOther uint64
	BThresholdExceeded      uint32
}

// Sizeof is the struct's size in bytes.
func (EccSramErrorStatus_v1) Sizeof() int { return 104 }

// Put writes the struct's bytes to b.
func (s *EccSramErrorStatus_v1) Put(b []byte) {
	clear(b[:104])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint64(b[8:], uint64(s.AggregateUncParity))
	le.PutUint64(b[16:], uint64(s.AggregateUncSecDed))
	le.PutUint64(b[24:], uint64(s.AggregateCor))
	le.PutUint64(b[32:], uint64(s.VolatileUncParity))
	le.PutUint64(b[40:], uint64(s.VolatileUncSecDed))
	le.PutUint64(b[48:], uint64(s.VolatileCor))
	le.PutUint64(b[56:], uint64(s.AggregateUncBucketL2))
	le.PutUint64(b[64:], uint64(s.AggregateUncBucketSm))
	le.PutUint64(b[72:], uint64(s.AggregateUncBucketPcie))
	le.PutUint64(b[80:], uint64(s.AggregateUncBucketMcu))
	le.PutUint64(b[88:], uint64(s.AggregateUncBucketOther))
	le.PutUint32(b[96:], uint32(s.BThresholdExceeded))
}

// Get reads them from b.
func (s *EccSramErrorStatus_v1) Get(b []byte) {
	_ = b[103]
	s.Version = uint32(le.Uint32(b[0:]))
	s.AggregateUncParity = uint64(le.Uint64(b[8:]))
	s.AggregateUncSecDed = uint64(le.Uint64(b[16:]))
	s.AggregateCor = uint64(le.Uint64(b[24:]))
	s.VolatileUncParity = uint64(le.Uint64(b[32:]))
	s.VolatileUncSecDed = uint64(le.Uint64(b[40:]))
	s.VolatileCor = uint64(le.Uint64(b[48:]))
	s.AggregateUncBucketL2 = uint64(le.Uint64(b[56:]))
	s.AggregateUncBucketSm = uint64(le.Uint64(b[64:]))
	s.AggregateUncBucketPcie = uint64(le.Uint64(b[72:]))
	s.AggregateUncBucketMcu = uint64(le.Uint64(b[80:]))
	s.AggregateUncBucketOther = uint64(le.Uint64(b[88:]))
	s.BThresholdExceeded = uint32(le.Uint32(b[96:]))
}

func (s *EccSramErrorStatus_v1) version() *uint32 { return &s.Version }

func (EccSramErrorStatus_v1) versionWord() uint32 { return 104 | 1<<24 }

// EccSramUniqueUncorrectedErrorEntry_v1 is nvmlEccSramUniqueUncorrectedErrorEntry_v1_t, 28 bytes.
type EccSramUniqueUncorrectedErrorEntry_v1 struct {
	Unit        uint32
	Location    uint32
	Sublocation uint32
	Extlocation uint32
	Address     uint32
	IsParity    uint32
	Count       uint32
}

// Sizeof is the struct's size in bytes.
func (EccSramUniqueUncorrectedErrorEntry_v1) Sizeof() int { return 28 }

// Put writes the struct's bytes to b.
func (s *EccSramUniqueUncorrectedErrorEntry_v1) Put(b []byte) {
	clear(b[:28])
	le.PutUint32(b[0:], uint32(s.Unit))
	le.PutUint32(b[4:], uint32(s.Location))
	le.PutUint32(b[8:], uint32(s.Sublocation))
	le.PutUint32(b[12:], uint32(s.Extlocation))
	le.PutUint32(b[16:], uint32(s.Address))
	le.PutUint32(b[20:], uint32(s.IsParity))
	le.PutUint32(b[24:], uint32(s.Count))
}

// Get reads them from b.
func (s *EccSramUniqueUncorrectedErrorEntry_v1) Get(b []byte) {
	_ = b[27]
	s.Unit = uint32(le.Uint32(b[0:]))
	s.Location = uint32(le.Uint32(b[4:]))
	s.Sublocation = uint32(le.Uint32(b[8:]))
	s.Extlocation = uint32(le.Uint32(b[12:]))
	s.Address = uint32(le.Uint32(b[16:]))
	s.IsParity = uint32(le.Uint32(b[20:]))
	s.Count = uint32(le.Uint32(b[24:]))
}

// EccSramUniqueUncorrectedErrorCounts_v1 is nvmlEccSramUniqueUncorrectedErrorCounts_v1_t, 16 bytes.
type EccSramUniqueUncorrectedErrorCounts_v1 struct {
	Version    uint32
	EntryCount uint32
}

// Sizeof is the struct's size in bytes.
func (EccSramUniqueUncorrectedErrorCounts_v1) Sizeof() int { return 16 }

// Put writes the struct's bytes to b.
func (s *EccSramUniqueUncorrectedErrorCounts_v1) Put(b []byte) {
	clear(b[:16])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.EntryCount))
}

// Get reads them from b.
func (s *EccSramUniqueUncorrectedErrorCounts_v1) Get(b []byte) {
	_ = b[15]
	s.Version = uint32(le.Uint32(b[0:]))
	s.EntryCount = uint32(le.Uint32(b[4:]))
}

func (s *EccSramUniqueUncorrectedErrorCounts_v1) version() *uint32 { return &s.Version }

func (EccSramUniqueUncorrectedErrorCounts_v1) versionWord() uint32 { return 16 | 1<<24 }

// PRMTLV_v1 is nvmlPRMTLV_v1_t, 504 bytes.
type PRMTLV_v1 struct {
	DataSize uint32
	Status   uint32
	Data     [496]byte // a union
}

// Sizeof is the struct's size in bytes.
func (PRMTLV_v1) Sizeof() int { return 504 }

// Put writes the struct's bytes to b.
func (s *PRMTLV_v1) Put(b []byte) {
	clear(b[:504])
	le.PutUint32(b[0:], uint32(s.DataSize))
	le.PutUint32(b[4:], uint32(s.Status))
	copy(b[8:], s.Data[:])
}

// Get reads them from b.
func (s *PRMTLV_v1) Get(b []byte) {
	_ = b[503]
	s.DataSize = uint32(le.Uint32(b[0:]))
	s.Status = uint32(le.Uint32(b[4:]))
	copy(s.Data[:], b[8:])
}

// PRMCounterInput_v1 is nvmlPRMCounterInput_v1_t, 4 bytes.
type PRMCounterInput_v1 struct {
	LocalPort uint32
}

// Sizeof is the struct's size in bytes.
func (PRMCounterInput_v1) Sizeof() int { return 4 }

// Put writes the struct's bytes to b.
func (s *PRMCounterInput_v1) Put(b []byte) {
	clear(b[:4])
	le.PutUint32(b[0:], uint32(s.LocalPort))
}

// Get reads them from b.
func (s *PRMCounterInput_v1) Get(b []byte) {
	_ = b[3]
	s.LocalPort = uint32(le.Uint32(b[0:]))
}

// PRMCounterValue_v1 is nvmlPRMCounterValue_v1_t, 16 bytes.
type PRMCounterValue_v1 struct {
	Status      Return
	OutputType  ValueType
	OutputValue Value
}

// Sizeof is the struct's size in bytes.
func (PRMCounterValue_v1) Sizeof() int { return 16 }

// Put writes the struct's bytes to b.
func (s *PRMCounterValue_v1) Put(b []byte) {
	clear(b[:16])
	le.PutUint32(b[0:], uint32(s.Status))
	le.PutUint32(b[4:], uint32(s.OutputType))
	s.OutputValue.Put(b[8:])
}

// Get reads them from b.
func (s *PRMCounterValue_v1) Get(b []byte) {
	_ = b[15]
	s.Status = Return(le.Uint32(b[0:]))
	s.OutputType = ValueType(le.Uint32(b[4:]))
	s.OutputValue.Get(b[8:])
}

// PRMCounter_v1 is nvmlPRMCounter_v1_t, 24 bytes.
type PRMCounter_v1 struct {
	CounterId    uint32
	InData       PRMCounterInput_v1
	CounterValue PRMCounterValue_v1
}

// Sizeof is the struct's size in bytes.
func (PRMCounter_v1) Sizeof() int { return 24 }

// Put writes the struct's bytes to b.
func (s *PRMCounter_v1) Put(b []byte) {
	clear(b[:24])
	le.PutUint32(b[0:], uint32(s.CounterId))
	s.InData.Put(b[4:])
	s.CounterValue.Put(b[8:])
}

// Get reads them from b.
func (s *PRMCounter_v1) Get(b []byte) {
	_ = b[23]
	s.CounterId = uint32(le.Uint32(b[0:]))
	s.InData.Get(b[4:])
	s.CounterValue.Get(b[8:])
}

// PRMCounterList_v1 is nvmlPRMCounterList_v1_t, 16 bytes.
type PRMCounterList_v1 struct {
	NumCounters uint32
}

// Sizeof is the struct's size in bytes.
func (PRMCounterList_v1) Sizeof() int { return 16 }

// Put writes the struct's bytes to b.
func (s *PRMCounterList_v1) Put(b []byte) {
	clear(b[:16])
	le.PutUint32(b[0:], uint32(s.NumCounters))
}

// Get reads them from b.
func (s *PRMCounterList_v1) Get(b []byte) {
	_ = b[15]
	s.NumCounters = uint32(le.Uint32(b[0:]))
}

// RemappedRowsInfo_v2 is nvmlRemappedRowsInfo_v2_t, 24 bytes.
type RemappedRowsInfo_v2 struct {
	CorrActiveRemaps   uint32
	CorrInactiveRemaps uint32
	UncActiveRemaps    uint32
	UncInactiveRemaps  uint32
	BPending           uint32
	BFailureOccurred   uint32
}

// Sizeof is the struct's size in bytes.
func (RemappedRowsInfo_v2) Sizeof() int { return 24 }

// Put writes the struct's bytes to b.
func (s *RemappedRowsInfo_v2) Put(b []byte) {
	clear(b[:24])
	le.PutUint32(b[0:], uint32(s.CorrActiveRemaps))
	le.PutUint32(b[4:], uint32(s.CorrInactiveRemaps))
	le.PutUint32(b[8:], uint32(s.UncActiveRemaps))
	le.PutUint32(b[12:], uint32(s.UncInactiveRemaps))
	le.PutUint32(b[16:], uint32(s.BPending))
	le.PutUint32(b[20:], uint32(s.BFailureOccurred))
}

// Get reads them from b.
func (s *RemappedRowsInfo_v2) Get(b []byte) {
	_ = b[23]
	s.CorrActiveRemaps = uint32(le.Uint32(b[0:]))
	s.CorrInactiveRemaps = uint32(le.Uint32(b[4:]))
	s.UncActiveRemaps = uint32(le.Uint32(b[8:]))
	s.UncInactiveRemaps = uint32(le.Uint32(b[12:]))
	s.BPending = uint32(le.Uint32(b[16:]))
	s.BFailureOccurred = uint32(le.Uint32(b[20:]))
}

// UnrepairableMemoryStatus_v1 is nvmlUnrepairableMemoryStatus_v1_t, 4 bytes.
type UnrepairableMemoryStatus_v1 struct {
	BUnrepairableMemory uint32
}

// Sizeof is the struct's size in bytes.
func (UnrepairableMemoryStatus_v1) Sizeof() int { return 4 }

// Put writes the struct's bytes to b.
func (s *UnrepairableMemoryStatus_v1) Put(b []byte) {
	clear(b[:4])
	le.PutUint32(b[0:], uint32(s.BUnrepairableMemory))
}

// Get reads them from b.
func (s *UnrepairableMemoryStatus_v1) Get(b []byte) {
	_ = b[3]
	s.BUnrepairableMemory = uint32(le.Uint32(b[0:]))
}

// Hostname_v1 is nvmlHostname_v1_t, 64 bytes.
type Hostname_v1 struct {
	Value string // at most 63 bytes
}

// Sizeof is the struct's size in bytes.
func (Hostname_v1) Sizeof() int { return 64 }

// Put writes the struct's bytes to b.
func (s *Hostname_v1) Put(b []byte) {
	clear(b[:64])
	putText(b[0:64], s.Value)
}

// Get reads them from b.
func (s *Hostname_v1) Get(b []byte) {
	_ = b[63]
	s.Value = text(b[0:64])
}

// NvLinkPowerThres is nvmlNvLinkPowerThres_t, 4 bytes.
type NvLinkPowerThres struct {
	LowPwrThreshold uint32
}

// Sizeof is the struct's size in bytes.
func (NvLinkPowerThres) Sizeof() int { return 4 }

// Put writes the struct's bytes to b.
func (s *NvLinkPowerThres) Put(b []byte) {
	clear(b[:4])
	le.PutUint32(b[0:], uint32(s.LowPwrThreshold))
}

// Get reads them from b.
func (s *NvLinkPowerThres) Get(b []byte) {
	_ = b[3]
	s.LowPwrThreshold = uint32(le.Uint32(b[0:]))
}

// NvlinkSupportedBwModes_v1 is nvmlNvlinkSupportedBwModes_v1_t, 28 bytes.
type NvlinkSupportedBwModes_v1 struct {
	Version      uint32
	BwModes      [23]byte
	TotalBwModes byte
}

// Sizeof is the struct's size in bytes.
func (NvlinkSupportedBwModes_v1) Sizeof() int { return 28 }

// Put writes the struct's bytes to b.
func (s *NvlinkSupportedBwModes_v1) Put(b []byte) {
	clear(b[:28])
	le.PutUint32(b[0:], uint32(s.Version))
	copy(b[4:], s.BwModes[:])
	b[27] = byte(s.TotalBwModes)
}

// Get reads them from b.
func (s *NvlinkSupportedBwModes_v1) Get(b []byte) {
	_ = b[27]
	s.Version = uint32(le.Uint32(b[0:]))
	copy(s.BwModes[:], b[4:])
	s.TotalBwModes = byte(b[27])
}

func (s *NvlinkSupportedBwModes_v1) version() *uint32 { return &s.Version }

func (NvlinkSupportedBwModes_v1) versionWord() uint32 { return 28 | 1<<24 }

// NvlinkGetBwMode_v1 is nvmlNvlinkGetBwMode_v1_t, 12 bytes.
type NvlinkGetBwMode_v1 struct {
	Version uint32
	BIsBest uint32
	BwMode  byte
}

// Sizeof is the struct's size in bytes.
func (NvlinkGetBwMode_v1) Sizeof() int { return 12 }

// Put writes the struct's bytes to b.
func (s *NvlinkGetBwMode_v1) Put(b []byte) {
	clear(b[:12])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.BIsBest))
	b[8] = byte(s.BwMode)
}

// Get reads them from b.
func (s *NvlinkGetBwMode_v1) Get(b []byte) {
	_ = b[11]
	s.Version = uint32(le.Uint32(b[0:]))
	s.BIsBest = uint32(le.Uint32(b[4:]))
	s.BwMode = byte(b[8])
}

func (s *NvlinkGetBwMode_v1) version() *uint32 { return &s.Version }

func (NvlinkGetBwMode_v1) versionWord() uint32 { return 12 | 1<<24 }

// NvlinkSetBwMode_v1 is nvmlNvlinkSetBwMode_v1_t, 12 bytes.
type NvlinkSetBwMode_v1 struct {
	Version  uint32
	BSetBest uint32
	BwMode   byte
}

// Sizeof is the struct's size in bytes.
func (NvlinkSetBwMode_v1) Sizeof() int { return 12 }

// Put writes the struct's bytes to b.
func (s *NvlinkSetBwMode_v1) Put(b []byte) {
	clear(b[:12])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.BSetBest))
	b[8] = byte(s.BwMode)
}

// Get reads them from b.
func (s *NvlinkSetBwMode_v1) Get(b []byte) {
	_ = b[11]
	s.Version = uint32(le.Uint32(b[0:]))
	s.BSetBest = uint32(le.Uint32(b[4:]))
	s.BwMode = byte(b[8])
}

func (s *NvlinkSetBwMode_v1) version() *uint32 { return &s.Version }

func (NvlinkSetBwMode_v1) versionWord() uint32 { return 12 | 1<<24 }

// NvlinkFirmwareVersion is nvmlNvlinkFirmwareVersion_t, 16 bytes.
type NvlinkFirmwareVersion struct {
	UcodeType byte
	Major     uint32
	Minor     uint32
	SubMinor  uint32
}

// Sizeof is the struct's size in bytes.
func (NvlinkFirmwareVersion) Sizeof() int { return 16 }

// Put writes the struct's bytes to b.
func (s *NvlinkFirmwareVersion) Put(b []byte) {
	clear(b[:16])
	b[0] = byte(s.UcodeType)
	le.PutUint32(b[4:], uint32(s.Major))
	le.PutUint32(b[8:], uint32(s.Minor))
	le.PutUint32(b[12:], uint32(s.SubMinor))
}

// Get reads them from b.
func (s *NvlinkFirmwareVersion) Get(b []byte) {
	_ = b[15]
	s.UcodeType = byte(b[0])
	s.Major = uint32(le.Uint32(b[4:]))
	s.Minor = uint32(le.Uint32(b[8:]))
	s.SubMinor = uint32(le.Uint32(b[12:]))
}

// NvlinkFirmwareInfo is nvmlNvlinkFirmwareInfo_t, 1604 bytes.
type NvlinkFirmwareInfo struct {
	FirmwareVersion [100]NvlinkFirmwareVersion
	NumValidEntries uint32
}

// Sizeof is the struct's size in bytes.
func (NvlinkFirmwareInfo) Sizeof() int { return 1604 }

// Put writes the struct's bytes to b.
func (s *NvlinkFirmwareInfo) Put(b []byte) {
	clear(b[:1604])
	for i := range s.FirmwareVersion {
		s.FirmwareVersion[i].Put(b[0+i*16:])
	}
	le.PutUint32(b[1600:], uint32(s.NumValidEntries))
}

// Get reads them from b.
func (s *NvlinkFirmwareInfo) Get(b []byte) {
	_ = b[1603]
	for i := range s.FirmwareVersion {
		s.FirmwareVersion[i].Get(b[0+i*16:])
	}
	s.NumValidEntries = uint32(le.Uint32(b[1600:]))
}

// NvLinkInfo_v1 is nvmlNvLinkInfo_v1_t, 8 bytes.
type NvLinkInfo_v1 struct {
	Version       uint32
	IsNvleEnabled uint32
}

// Sizeof is the struct's size in bytes.
func (NvLinkInfo_v1) Sizeof() int { return 8 }

// Put writes the struct's bytes to b.
func (s *NvLinkInfo_v1) Put(b []byte) {
	clear(b[:8])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.IsNvleEnabled))
}

// Get reads them from b.
func (s *NvLinkInfo_v1) Get(b []byte) {
	_ = b[7]
	s.Version = uint32(le.Uint32(b[0:]))
	s.IsNvleEnabled = uint32(le.Uint32(b[4:]))
}

func (s *NvLinkInfo_v1) version() *uint32 { return &s.Version }

func (NvLinkInfo_v1) versionWord() uint32 { return 8 | 1<<24 }

// NvLinkInfo_v2 is nvmlNvLinkInfo_v2_t, 1612 bytes.
type NvLinkInfo_v2 struct {
	Version       uint32
	IsNvleEnabled uint32
	FirmwareInfo  NvlinkFirmwareInfo
}

// Sizeof is the struct's size in bytes.
func (NvLinkInfo_v2) Sizeof() int { return 1612 }

// Put writes the struct's bytes to b.
func (s *NvLinkInfo_v2) Put(b []byte) {
	clear(b[:1612])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.IsNvleEnabled))
	s.FirmwareInfo.Put(b[8:])
}

// Get reads them from b.
func (s *NvLinkInfo_v2) Get(b []byte) {
	_ = b[1611]
	s.Version = uint32(le.Uint32(b[0:]))
	s.IsNvleEnabled = uint32(le.Uint32(b[4:]))
	s.FirmwareInfo.Get(b[8:])
}

func (s *NvLinkInfo_v2) version() *uint32 { return &s.Version }

func (NvLinkInfo_v2) versionWord() uint32 { return 1612 | 2<<24 }

// GpuFabricInfo is nvmlGpuFabricInfo_t, 28 bytes.
type GpuFabricInfo struct {
	ClusterUuid [16]byte
	Status      Return
	CliqueId    uint32
	State       byte
}

// Sizeof is the struct's size in bytes.
func (GpuFabricInfo) Sizeof() int { return 28 }

// Put writes the struct's bytes to b.
func (s *GpuFabricInfo) Put(b []byte) {
	clear(b[:28])
	copy(b[0:], s.ClusterUuid[:])
	le.PutUint32(b[16:], uint32(s.Status))
	le.PutUint32(b[20:], uint32(s.CliqueId))
	b[24] = byte(s.State)
}

// Get reads them from b.
func (s *GpuFabricInfo) Get(b []byte) {
	_ = b[27]
	copy(s.ClusterUuid[:], b[0:])
	s.Status = Return(le.Uint32(b[16:]))
	s.CliqueId = uint32(le.Uint32(b[20:]))
	s.State = byte(b[24])
}

// GpuFabricInfo_v2 is nvmlGpuFabricInfo_v2_t, 36 bytes.
type GpuFabricInfo_v2 struct {
	Version     uint32
	ClusterUuid [16]byte
	Status      Return
	CliqueId    uint32
	State       byte
	HealthMask  uint32
}

// Sizeof is the struct's size in bytes.
func (GpuFabricInfo_v2) Sizeof() int { return 36 }

// Put writes the struct's bytes to b.
func (s *GpuFabricInfo_v2) Put(b []byte) {
	clear(b[:36])
	le.PutUint32(b[0:], uint32(s.Version))
	copy(b[4:], s.ClusterUuid[:])
	le.PutUint32(b[20:], uint32(s.Status))
	le.PutUint32(b[24:], uint32(s.CliqueId))
	b[28] = byte(s.State)
	le.PutUint32(b[32:], uint32(s.HealthMask))
}

// Get reads them from b.
func (s *GpuFabricInfo_v2) Get(b []byte) {
	_ = b[35]
	s.Version = uint32(le.Uint32(b[0:]))
	copy(s.ClusterUuid[:], b[4:])
	s.Status = Return(le.Uint32(b[20:]))
	s.CliqueId = uint32(le.Uint32(b[24:]))
	s.State = byte(b[28])
	s.HealthMask = uint32(le.Uint32(b[32:]))
}

func (s *GpuFabricInfo_v2) version() *uint32 { return &s.Version }

func (GpuFabricInfo_v2) versionWord() uint32 { return 36 | 2<<24 }

// GpuFabricInfo_v3 is nvmlGpuFabricInfo_v3_t, 40 bytes.
type GpuFabricInfo_v3 struct {
	Version       uint32
	ClusterUuid   [16]byte
	Status        Return
	CliqueId      uint32
	State         byte
	HealthMask    uint32
	HealthSummary byte
}

// Sizeof is the struct's size in bytes.
func (GpuFabricInfo_v3) Sizeof() int { return 40 }

// Put writes the struct's bytes to b.
func (s *GpuFabricInfo_v3) Put(b []byte) {
	clear(b[:40])
	le.PutUint32(b[0:], uint32(s.Version))
	copy(b[4:], s.ClusterUuid[:])
	le.PutUint32(b[20:], uint32(s.Status))
	le.PutUint32(b[24:], uint32(s.CliqueId))
	b[28] = byte(s.State)
	le.PutUint32(b[32:], uint32(s.HealthMask))
	b[36] = byte(s.HealthSummary)
}

// Get reads them from b.
func (s *GpuFabricInfo_v3) Get(b []byte) {
	_ = b[39]
	s.Version = uint32(le.Uint32(b[0:]))
	copy(s.ClusterUuid[:], b[4:])
	s.Status = Return(le.Uint32(b[20:]))
	s.CliqueId = uint32(le.Uint32(b[24:]))
	s.State = byte(b[28])
	s.HealthMask = uint32(le.Uint32(b[32:]))
	s.HealthSummary = byte(b[36])
}

func (s *GpuFabricInfo_v3) version() *uint32 { return &s.Version }

func (GpuFabricInfo_v3) versionWord() uint32 { return 40 | 3<<24 }

// ConfComputeSystemCaps is nvmlConfComputeSystemCaps_t, 8 bytes.
type ConfComputeSystemCaps struct {
	CpuCaps  uint32
	GpusCaps uint32
}

// Sizeof is the struct's size in bytes.
func (ConfComputeSystemCaps) Sizeof() int { return 8 }

// Put writes the struct's bytes to b.
func (s *ConfComputeSystemCaps) Put(b []byte) {
	clear(b[:8])
	le.PutUint32(b[0:], uint32(s.CpuCaps))
	le.PutUint32(b[4:], uint32(s.GpusCaps))
}

// Get reads them from b.
func (s *ConfComputeSystemCaps) Get(b []byte) {
	_ = b[7]
	s.CpuCaps = uint32(le.Uint32(b[0:]))
	s.GpusCaps = uint32(le.Uint32(b[4:]))
}

// ConfComputeSystemState is nvmlConfComputeSystemState_t, 12 bytes.
type ConfComputeSystemState struct {
	Environment  uint32
	CcFeature    uint32
	DevToolsMode uint32
}

// Sizeof is the struct's size in bytes.
func (ConfComputeSystemState) Sizeof() int { return 12 }

// Put writes the struct's bytes to b.
func (s *ConfComputeSystemState) Put(b []byte) {
	clear(b[:12])
	le.PutUint32(b[0:], uint32(s.Environment))
	le.PutUint32(b[4:], uint32(s.CcFeature))
	le.PutUint32(b[8:], uint32(s.DevToolsMode))
}

// Get reads them from b.
func (s *ConfComputeSystemState) Get(b []byte) {
	_ = b[11]
	s.Environment = uint32(le.Uint32(b[0:]))
	s.CcFeature = uint32(le.Uint32(b[4:]))
	s.DevToolsMode = uint32(le.Uint32(b[8:]))
}

// SystemConfComputeSettings_v1 is nvmlSystemConfComputeSettings_v1_t, 20 bytes.
type SystemConfComputeSettings_v1 struct {
	Version      uint32
	Environment  uint32
	CcFeature    uint32
	DevToolsMode uint32
	MultiGpuMode uint32
}

// Sizeof is the struct's size in bytes.
func (SystemConfComputeSettings_v1) Sizeof() int { return 20 }

// Put writes the struct's bytes to b.
func (s *SystemConfComputeSettings_v1) Put(b []byte) {
	clear(b[:20])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.Environment))
	le.PutUint32(b[8:], uint32(s.CcFeature))
	le.PutUint32(b[12:], uint32(s.DevToolsMode))
	le.PutUint32(b[16:], uint32(s.MultiGpuMode))
}

// Get reads them from b.
func (s *SystemConfComputeSettings_v1) Get(b []byte) {
	_ = b[19]
	s.Version = uint32(le.Uint32(b[0:]))
	s.Environment = uint32(le.Uint32(b[4:]))
	s.CcFeature = uint32(le.Uint32(b[8:]))
	s.DevToolsMode = uint32(le.Uint32(b[12:]))
	s.MultiGpuMode = uint32(le.Uint32(b[16:]))
}

func (s *SystemConfComputeSettings_v1) version() *uint32 { return &s.Version }

func (SystemConfComputeSettings_v1) versionWord() uint32 { return 20 | 1<<24 }

// ConfComputeMemSizeInfo is nvmlConfComputeMemSizeInfo_t, 16 bytes.
type ConfComputeMemSizeInfo struct {
	ProtectedMemSizeKib   uint64
	UnprotectedMemSizeKib uint64
}

// Sizeof is the struct's size in bytes.
func (ConfComputeMemSizeInfo) Sizeof() int { return 16 }

// Put writes the struct's bytes to b.
func (s *ConfComputeMemSizeInfo) Put(b []byte) {
	clear(b[:16])
	le.PutUint64(b[0:], uint64(s.ProtectedMemSizeKib))
	le.PutUint64(b[8:], uint64(s.UnprotectedMemSizeKib))
}

// Get reads them from b.
func (s *ConfComputeMemSizeInfo) Get(b []byte) {
	_ = b[15]
	s.ProtectedMemSizeKib = uint64(le.Uint64(b[0:]))
	s.UnprotectedMemSizeKib = uint64(le.Uint64(b[8:]))
}

// ConfComputeGpuCertificate is nvmlConfComputeGpuCertificate_t, 9224 bytes.
type ConfComputeGpuCertificate struct {
	CertChainSize            uint32
	AttestationCertChainSize uint32
	CertChain                [4096]byte
	AttestationCertChain     [5120]byte
}

// Sizeof is the struct's size in bytes.
func (ConfComputeGpuCertificate) Sizeof() int { return 9224 }

// Put writes the struct's bytes to b.
func (s *ConfComputeGpuCertificate) Put(b []byte) {
	clear(b[:9224])
	le.PutUint32(b[0:], uint32(s.CertChainSize))
	le.PutUint32(b[4:], uint32(s.AttestationCertChainSize))
	copy(b[8:], s.CertChain[:])
	copy(b[4104:], s.AttestationCertChain[:])
}

// Get reads them from b.
func (s *ConfComputeGpuCertificate) Get(b []byte) {
	_ = b[9223]
	s.CertChainSize = uint32(le.Uint32(b[0:]))
	s.AttestationCertChainSize = uint32(le.Uint32(b[4:]))
	copy(s.CertChain[:], b[8:])
	copy(s.AttestationCertChain[:], b[4104:])
}

// ConfComputeGpuAttestationReport is nvmlConfComputeGpuAttestationReport_t, 12332 bytes.
type ConfComputeGpuAttestationReport struct {
	IsCecAttestationReportPresent uint32
	AttestationReportSize         uint32
	CecAttestationReportSize      uint32
	Nonce                         [32]byte
	AttestationReport             [8192]byte
	CecAttestationReport          [4096]byte
}

// Sizeof is the struct's size in bytes.
func (ConfComputeGpuAttestationReport) Sizeof() int { return 12332 }

// Put writes the struct's bytes to b.
func (s *ConfComputeGpuAttestationReport) Put(b []byte) {
	clear(b[:12332])
	le.PutUint32(b[0:], uint32(s.IsCecAttestationReportPresent))
	le.PutUint32(b[4:], uint32(s.AttestationReportSize))
	le.PutUint32(b[8:], uint32(s.CecAttestationReportSize))
	copy(b[12:], s.Nonce[:])
	copy(b[44:], s.AttestationReport[:])
	copy(b[8236:], s.CecAttestationReport[:])
}

// Get reads them from b.
func (s *ConfComputeGpuAttestationReport) Get(b []byte) {
	_ = b[12331]
	s.IsCecAttestationReportPresent = uint32(le.Uint32(b[0:]))
	s.AttestationReportSize = uint32(le.Uint32(b[4:]))
	s.CecAttestationReportSize = uint32(le.Uint32(b[8:]))
	copy(s.Nonce[:], b[12:])
	copy(s.AttestationReport[:], b[44:])
	copy(s.CecAttestationReport[:], b[8236:])
}

// ConfComputeSetKeyRotationThresholdInfo_v1 is nvmlConfComputeSetKeyRotationThresholdInfo_v1_t, 16 bytes.
type ConfComputeSetKeyRotationThresholdInfo_v1 struct {
	Version              uint32
	MaxAttackerAdvantage uint64
}

// Sizeof is the struct's size in bytes.
func (ConfComputeSetKeyRotationThresholdInfo_v1) Sizeof() int { return 16 }

// Put writes the struct's bytes to b.
func (s *ConfComputeSetKeyRotationThresholdInfo_v1) Put(b []byte) {
	clear(b[:16])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint64(b[8:], uint64(s.MaxAttackerAdvantage))
}

// Get reads them from b.
func (s *ConfComputeSetKeyRotationThresholdInfo_v1) Get(b []byte) {
	_ = b[15]
	s.Version = uint32(le.Uint32(b[0:]))
	s.MaxAttackerAdvantage = uint64(le.Uint64(b[8:]))
}

func (s *ConfComputeSetKeyRotationThresholdInfo_v1) version() *uint32 { return &s.Version }

func (ConfComputeSetKeyRotationThresholdInfo_v1) versionWord() uint32 { return 16 | 1<<24 }

// ConfComputeGetKeyRotationThresholdInfo_v1 is nvmlConfComputeGetKeyRotationThresholdInfo_v1_t, 16 bytes.
type ConfComputeGetKeyRotationThresholdInfo_v1 struct {
	Version           uint32
	AttackerAdvantage uint64
}

// Sizeof is the struct's size in bytes.
func (ConfComputeGetKeyRotationThresholdInfo_v1) Sizeof() int { return 16 }

// Put writes the struct's bytes to b.
func (s *ConfComputeGetKeyRotationThresholdInfo_v1) Put(b []byte) {
	clear(b[:16])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint64(b[8:], uint64(s.AttackerAdvantage))
}

// Get reads them from b.
func (s *ConfComputeGetKeyRotationThresholdInfo_v1) Get(b []byte) {
	_ = b[15]
	s.Version = uint32(le.Uint32(b[0:]))
	s.AttackerAdvantage = uint64(le.Uint64(b[8:]))
}

func (s *ConfComputeGetKeyRotationThresholdInfo_v1) version() *uint32 { return &s.Version }

func (ConfComputeGetKeyRotationThresholdInfo_v1) versionWord() uint32 { return 16 | 1<<24 }

// GpuInstanceProfileInfo_v3 is nvmlGpuInstanceProfileInfo_v3_t, 152 bytes.
type GpuInstanceProfileInfo_v3 struct {
	Version             uint32
	Id                  uint32
	SliceCount          uint32
	InstanceCount       uint32
	MultiprocessorCount uint32
	CopyEngineCount     uint32
	DecoderCount        uint32
	EncoderCount        uint32
	JpegCount           uint32
	OfaCount            uint32
	MemorySizeMB        uint64
	Name                string // at most 95 bytes
	Capabilities        uint32
}

// Sizeof is the struct's size in bytes.
func (GpuInstanceProfileInfo_v3) Sizeof() int { return 152 }

// Put writes the struct's bytes to b.
func (s *GpuInstanceProfileInfo_v3) Put(b []byte) {
	clear(b[:152])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.Id))
	le.PutUint32(b[8:], uint32(s.SliceCount))
	le.PutUint32(b[12:], uint32(s.InstanceCount))
	le.PutUint32(b[16:], uint32(s.MultiprocessorCount))
	le.PutUint32(b[20:], uint32(s.CopyEngineCount))
	le.PutUint32(b[24:], uint32(s.DecoderCount))
	le.PutUint32(b[28:], uint32(s.EncoderCount))
	le.PutUint32(b[32:], uint32(s.JpegCount))
	le.PutUint32(b[36:], uint32(s.OfaCount))
	le.PutUint64(b[40:], uint64(s.MemorySizeMB))
	putText(b[48:144], s.Name)
	le.PutUint32(b[144:], uint32(s.Capabilities))
}

// Get reads them from b.
func (s *GpuInstanceProfileInfo_v3) Get(b []byte) {
	_ = b[151]
	s.Version = uint32(le.Uint32(b[0:]))
	s.Id = uint32(le.Uint32(b[4:]))
	s.SliceCount = uint32(le.Uint32(b[8:]))
	s.InstanceCount = uint32(le.Uint32(b[12:]))
	s.MultiprocessorCount = uint32(le.Uint32(b[16:]))
	s.CopyEngineCount = uint32(le.Uint32(b[20:]))
	s.DecoderCount = uint32(le.Uint32(b[24:]))
	s.EncoderCount = uint32(le.Uint32(b[28:]))
	s.JpegCount = uint32(le.Uint32(b[32:]))
	s.OfaCount = uint32(le.Uint32(b[36:]))
	s.MemorySizeMB = uint64(le.Uint64(b[40:]))
	s.Name = text(b[48:144])
	s.Capabilities = uint32(le.Uint32(b[144:]))
}

func (s *GpuInstanceProfileInfo_v3) version() *uint32 { return &s.Version }

func (GpuInstanceProfileInfo_v3) versionWord() uint32 { return 152 | 3<<24 }

// ComputeInstanceProfileInfo_v3 is nvmlComputeInstanceProfileInfo_v3_t, 140 bytes.
type ComputeInstanceProfileInfo_v3 struct {
	Version               uint32
	Id                    uint32
	SliceCount            uint32
	InstanceCount         uint32
	MultiprocessorCount   uint32
	SharedCopyEngineCount uint32
	SharedDecoderCount    uint32
	SharedEncoderCount    uint32
	SharedJpegCount       uint32
	SharedOfaCount        uint32
	Name                  string // at most 95 bytes
	Capabilities          uint32
}

// Sizeof is the struct's size in bytes.
func (ComputeInstanceProfileInfo_v3) Sizeof() int { return 140 }

// Put writes the struct's bytes to b.
func (s *ComputeInstanceProfileInfo_v3) Put(b []byte) {
	clear(b[:140])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.Id))
	le.PutUint32(b[8:], uint32(s.SliceCount))
	le.PutUint32(b[12:], uint32(s.InstanceCount))
	le.PutUint32(b[16:], uint32(s.MultiprocessorCount))
	le.PutUint32(b[20:], uint32(s.SharedCopyEngineCount))
	le.PutUint32(b[24:], uint32(s.SharedDecoderCount))
	le.PutUint32(b[28:], uint32(s.SharedEncoderCount))
	le.PutUint32(b[32:], uint32(s.SharedJpegCount))
	le.PutUint32(b[36:], uint32(s.SharedOfaCount))
	putText(b[40:136], s.Name)
	le.PutUint32(b[136:], uint32(s.Capabilities))
}

// Get reads them from b.
func (s *ComputeInstanceProfileInfo_v3) Get(b []byte) {
	_ = b[139]
	s.Version = uint32(le.Uint32(b[0:]))
	s.Id = uint32(le.Uint32(b[4:]))
	s.SliceCount = uint32(le.Uint32(b[8:]))
	s.InstanceCount = uint32(le.Uint32(b[12:]))
	s.MultiprocessorCount = uint32(le.Uint32(b[16:]))
	s.SharedCopyEngineCount = uint32(le.Uint32(b[20:]))
	s.SharedDecoderCount = uint32(le.Uint32(b[24:]))
	s.SharedEncoderCount = uint32(le.Uint32(b[28:]))
	s.SharedJpegCount = uint32(le.Uint32(b[32:]))
	s.SharedOfaCount = uint32(le.Uint32(b[36:]))
	s.Name = text(b[40:136])
	s.Capabilities = uint32(le.Uint32(b[136:]))
}

func (s *ComputeInstanceProfileInfo_v3) version() *uint32 { return &s.Version }

func (ComputeInstanceProfileInfo_v3) versionWord() uint32 { return 140 | 3<<24 }

// GridLicensableFeature_v3 is nvmlGridLicensableFeature_v3_t, 268 bytes.
type GridLicensableFeature_v3 struct {
	FeatureCode    GridLicenseFeatureCode
	FeatureState   uint32
	LicenseInfo    string // at most 127 bytes
	ProductName    string // at most 127 bytes
	FeatureEnabled uint32
}

// Sizeof is the struct's size in bytes.
func (GridLicensableFeature_v3) Sizeof() int { return 268 }

// Put writes the struct's bytes to b.
func (s *GridLicensableFeature_v3) Put(b []byte) {
	clear(b[:268])
	le.PutUint32(b[0:], uint32(s.FeatureCode))
	le.PutUint32(b[4:], uint32(s.FeatureState))
	putText(b[8:136], s.LicenseInfo)
	putText(b[136:264], s.ProductName)
	le.PutUint32(b[264:], uint32(s.FeatureEnabled))
}

// Get reads them from b.
func (s *GridLicensableFeature_v3) Get(b []byte) {
	_ = b[267]
	s.FeatureCode = GridLicenseFeatureCode(le.Uint32(b[0:]))
	s.FeatureState = uint32(le.Uint32(b[4:]))
	s.LicenseInfo = text(b[8:136])
	s.ProductName = text(b[136:264])
	s.FeatureEnabled = uint32(le.Uint32(b[264:]))
}

// GridLicensableFeatures_v3 is nvmlGridLicensableFeatures_v3_t, 812 bytes.
type GridLicensableFeatures_v3 struct {
	IsGridLicenseSupported  int32
	LicensableFeaturesCount uint32
	GridLicensableFeatures  [3]GridLicensableFeature_v3
}

// Sizeof is the struct's size in bytes.
func (GridLicensableFeatures_v3) Sizeof() int { return 812 }

// Put writes the struct's bytes to b.
func (s *GridLicensableFeatures_v3) Put(b []byte) {
	clear(b[:812])
	le.PutUint32(b[0:], uint32(s.IsGridLicenseSupported))
	le.PutUint32(b[4:], uint32(s.LicensableFeaturesCount))
	for i := range s.GridLicensableFeatures {
		s.GridLicensableFeatures[i].Put(b[8+i*268:])
	}
}

// Get reads them from b.
func (s *GridLicensableFeatures_v3) Get(b []byte) {
	_ = b[811]
	s.IsGridLicenseSupported = int32(le.Uint32(b[0:]))
	s.LicensableFeaturesCount = uint32(le.Uint32(b[4:]))
	for i := range s.GridLicensableFeatures {
		s.GridLicensableFeatures[i].Get(b[8+i*268:])
	}
}

// GridLicensableFeature_v2 is nvmlGridLicensableFeature_v2_t, 264 bytes.
type GridLicensableFeature_v2 struct {
	FeatureCode  GridLicenseFeatureCode
	FeatureState uint32
	LicenseInfo  string // at most 127 bytes
	ProductName  string // at most 127 bytes
}

// Sizeof is the struct's size in bytes.
func (GridLicensableFeature_v2) Sizeof() int { return 264 }

// Put writes the struct's bytes to b.
func (s *GridLicensableFeature_v2) Put(b []byte) {
	clear(b[:264])
	le.PutUint32(b[0:], uint32(s.FeatureCode))
	le.PutUint32(b[4:], uint32(s.FeatureState))
	putText(b[8:136], s.LicenseInfo)
	putText(b[136:264], s.ProductName)
}

// Get reads them from b.
func (s *GridLicensableFeature_v2) Get(b []byte) {
	_ = b[263]
	s.FeatureCode = GridLicenseFeatureCode(le.Uint32(b[0:]))
	s.FeatureState = uint32(le.Uint32(b[4:]))
	s.LicenseInfo = text(b[8:136])
	s.ProductName = text(b[136:264])
}

// GridLicensableFeatures_v2 is nvmlGridLicensableFeatures_v2_t, 800 bytes.
type GridLicensableFeatures_v2 struct {
	IsGridLicenseSupported  int32
	LicensableFeaturesCount uint32
	GridLicensableFeatures  [3]GridLicensableFeature_v2
}

// Sizeof is the struct's size in bytes.
func (GridLicensableFeatures_v2) Sizeof() int { return 800 }

// Put writes the struct's bytes to b.
func (s *GridLicensableFeatures_v2) Put(b []byte) {
	clear(b[:800])
	le.PutUint32(b[0:], uint32(s.IsGridLicenseSupported))
	le.PutUint32(b[4:], uint32(s.LicensableFeaturesCount))
	for i := range s.GridLicensableFeatures {
		s.GridLicensableFeatures[i].Put(b[8+i*264:])
	}
}

// Get reads them from b.
func (s *GridLicensableFeatures_v2) Get(b []byte) {
	_ = b[799]
	s.IsGridLicenseSupported = int32(le.Uint32(b[0:]))
	s.LicensableFeaturesCount = uint32(le.Uint32(b[4:]))
	for i := range s.GridLicensableFeatures {
		s.GridLicensableFeatures[i].Get(b[8+i*264:])
	}
}

// GridLicensableFeature_v1 is nvmlGridLicensableFeature_v1_t, 136 bytes.
type GridLicensableFeature_v1 struct {
	FeatureCode  GridLicenseFeatureCode
	FeatureState uint32
	LicenseInfo  string // at most 127 bytes
}

// Sizeof is the struct's size in bytes.
func (GridLicensableFeature_v1) Sizeof() int { return 136 }

// Put writes the struct's bytes to b.
func (s *GridLicensableFeature_v1) Put(b []byte) {
	clear(b[:136])
	le.PutUint32(b[0:], uint32(s.FeatureCode))
	le.PutUint32(b[4:], uint32(s.FeatureState))
	putText(b[8:136], s.LicenseInfo)
}

// Get reads them from b.
func (s *GridLicensableFeature_v1) Get(b []byte) {
	_ = b[135]
	s.FeatureCode = GridLicenseFeatureCode(le.Uint32(b[0:]))
	s.FeatureState = uint32(le.Uint32(b[4:]))
	s.LicenseInfo = text(b[8:136])
}

// GridLicensableFeatures_v1 is nvmlGridLicensableFeatures_v1_t, 416 bytes.
type GridLicensableFeatures_v1 struct {
	IsGridLicenseSupported  int32
	LicensableFeaturesCount uint32
	GridLicensableFeatures  [3]GridLicensableFeature_v1
}

// Sizeof is the struct's size in bytes.
func (GridLicensableFeatures_v1) Sizeof() int { return 416 }

// Put writes the struct's bytes to b.
func (s *GridLicensableFeatures_v1) Put(b []byte) {
	clear(b[:416])
	le.PutUint32(b[0:], uint32(s.IsGridLicenseSupported))
	le.PutUint32(b[4:], uint32(s.LicensableFeaturesCount))
	for i := range s.GridLicensableFeatures {
		s.GridLicensableFeatures[i].Put(b[8+i*136:])
	}
}

// Get reads them from b.
func (s *GridLicensableFeatures_v1) Get(b []byte) {
	_ = b[415]
	s.IsGridLicenseSupported = int32(le.Uint32(b[0:]))
	s.LicensableFeaturesCount = uint32(le.Uint32(b[4:]))
	for i := range s.GridLicensableFeatures {
		s.GridLicensableFeatures[i].Get(b[8+i*136:])
	}
}

// VgpuHeterogeneousMode_v1 is nvmlVgpuHeterogeneousMode_v1_t, 8 bytes.
type VgpuHeterogeneousMode_v1 struct {
	Version uint32
	Mode    uint32
}

// Sizeof is the struct's size in bytes.
func (VgpuHeterogeneousMode_v1) Sizeof() int { return 8 }

// Put writes the struct's bytes to b.
func (s *VgpuHeterogeneousMode_v1) Put(b []byte) {
	clear(b[:8])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.Mode))
}

// Get reads them from b.
func (s *VgpuHeterogeneousMode_v1) Get(b []byte) {
	_ = b[7]
	s.Version = uint32(le.Uint32(b[0:]))
	s.Mode = uint32(le.Uint32(b[4:]))
}

func (s *VgpuHeterogeneousMode_v1) version() *uint32 { return &s.Version }

func (VgpuHeterogeneousMode_v1) versionWord() uint32 { return 8 | 1<<24 }

// VgpuPlacementId_v1 is nvmlVgpuPlacementId_v1_t, 8 bytes.
type VgpuPlacementId_v1 struct {
	Version     uint32
	PlacementId uint32
}

// Sizeof is the struct's size in bytes.
func (VgpuPlacementId_v1) Sizeof() int { return 8 }

// Put writes the struct's bytes to b.
func (s *VgpuPlacementId_v1) Put(b []byte) {
	clear(b[:8])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.PlacementId))
}

// Get reads them from b.
func (s *VgpuPlacementId_v1) Get(b []byte) {
	_ = b[7]
	s.Version = uint32(le.Uint32(b[0:]))
	s.PlacementId = uint32(le.Uint32(b[4:]))
}

func (s *VgpuPlacementId_v1) version() *uint32 { return &s.Version }

func (VgpuPlacementId_v1) versionWord() uint32 { return 8 | 1<<24 }

// VgpuPlacementList_v2 is nvmlVgpuPlacementList_v2_t, 32 bytes.
type VgpuPlacementList_v2 struct {
	Version       uint32
	PlacementSize uint32
	Count         uint32
	Mode          uint32
}

// Sizeof is the struct's size in bytes.
func (VgpuPlacementList_v2) Sizeof() int { return 32 }

// Put writes the struct's bytes to b.
func (s *VgpuPlacementList_v2) Put(b []byte) {
	clear(b[:32])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.PlacementSize))
	le.PutUint32(b[8:], uint32(s.Count))
	le.PutUint32(b[24:], uint32(s.Mode))
}

// Get reads them from b.
func (s *VgpuPlacementList_v2) Get(b []byte) {
	_ = b[31]
	s.Version = uint32(le.Uint32(b[0:]))
	s.PlacementSize = uint32(le.Uint32(b[4:]))
	s.Count = uint32(le.Uint32(b[8:]))
	s.Mode = uint32(le.Uint32(b[24:]))
}

func (s *VgpuPlacementList_v2) version() *uint32 { return &s.Version }

func (VgpuPlacementList_v2) versionWord() uint32 { return 32 | 2<<24 }

// VgpuTypeBar1Info_v1 is nvmlVgpuTypeBar1Info_v1_t, 16 bytes.
type VgpuTypeBar1Info_v1 struct {
	Version  uint32
	Bar1Size uint64
}

// Sizeof is the struct's size in bytes.
func (VgpuTypeBar1Info_v1) Sizeof() int { return 16 }

// Put writes the struct's bytes to b.
func (s *VgpuTypeBar1Info_v1) Put(b []byte) {
	clear(b[:16])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint64(b[8:], uint64(s.Bar1Size))
}

// Get reads them from b.
func (s *VgpuTypeBar1Info_v1) Get(b []byte) {
	_ = b[15]
	s.Version = uint32(le.Uint32(b[0:]))
	s.Bar1Size = uint64(le.Uint64(b[8:]))
}

func (s *VgpuTypeBar1Info_v1) version() *uint32 { return &s.Version }

func (VgpuTypeBar1Info_v1) versionWord() uint32 { return 16 | 1<<24 }

// VgpuRuntimeState_v1 is nvmlVgpuRuntimeState_v1_t, 16 bytes.
type VgpuRuntimeState_v1 struct {
	Version uint32
	Size    uint64
}

// Sizeof is the struct's size in bytes.
func (VgpuRuntimeState_v1) Sizeof() int { return 16 }

// Put writes the struct's bytes to b.
func (s *VgpuRuntimeState_v1) Put(b []byte) {
	clear(b[:16])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint64(b[8:], uint64(s.Size))
}

// Get reads them from b.
func (s *VgpuRuntimeState_v1) Get(b []byte) {
	_ = b[15]
	s.Version = uint32(le.Uint32(b[0:]))
	s.Size = uint64(le.Uint64(b[8:]))
}

func (s *VgpuRuntimeState_v1) version() *uint32 { return &s.Version }

func (VgpuRuntimeState_v1) versionWord() uint32 { return 16 | 1<<24 }

// VgpuTypeMaxInstance_v1 is nvmlVgpuTypeMaxInstance_v1_t, 12 bytes.
type VgpuTypeMaxInstance_v1 struct {
	Version          uint32
	VgpuTypeId       uint32
	MaxInstancePerGI uint32
}

// Sizeof is the struct's size in bytes.
func (VgpuTypeMaxInstance_v1) Sizeof() int { return 12 }

// Put writes the struct's bytes to b.
func (s *VgpuTypeMaxInstance_v1) Put(b []byte) {
	clear(b[:12])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.VgpuTypeId))
	le.PutUint32(b[8:], uint32(s.MaxInstancePerGI))
}

// Get reads them from b.
func (s *VgpuTypeMaxInstance_v1) Get(b []byte) {
	_ = b[11]
	s.Version = uint32(le.Uint32(b[0:]))
	s.VgpuTypeId = uint32(le.Uint32(b[4:]))
	s.MaxInstancePerGI = uint32(le.Uint32(b[8:]))
}

func (s *VgpuTypeMaxInstance_v1) version() *uint32 { return &s.Version }

func (VgpuTypeMaxInstance_v1) versionWord() uint32 { return 12 | 1<<24 }

// VgpuTypeIdInfo_v1 is nvmlVgpuTypeIdInfo_v1_t, 16 bytes.
type VgpuTypeIdInfo_v1 struct {
	Version   uint32
	VgpuCount uint32
}

// Sizeof is the struct's size in bytes.
func (VgpuTypeIdInfo_v1) Sizeof() int { return 16 }

// Put writes the struct's bytes to b.
func (s *VgpuTypeIdInfo_v1) Put(b []byte) {
	clear(b[:16])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.VgpuCount))
}

// Get reads them from b.
func (s *VgpuTypeIdInfo_v1) Get(b []byte) {
	_ = b[15]
	s.Version = uint32(le.Uint32(b[0:]))
	s.VgpuCount = uint32(le.Uint32(b[4:]))
}

func (s *VgpuTypeIdInfo_v1) version() *uint32 { return &s.Version }

func (VgpuTypeIdInfo_v1) versionWord() uint32 { return 16 | 1<<24 }

// ActiveVgpuInstanceInfo_v1 is nvmlActiveVgpuInstanceInfo_v1_t, 16 bytes.
type ActiveVgpuInstanceInfo_v1 struct {
	Version   uint32
	VgpuCount uint32
}

// Sizeof is the struct's size in bytes.
func (ActiveVgpuInstanceInfo_v1) Sizeof() int { return 16 }

// Put writes the struct's bytes to b.
func (s *ActiveVgpuInstanceInfo_v1) Put(b []byte) {
	clear(b[:16])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.VgpuCount))
}

// Get reads them from b.
func (s *ActiveVgpuInstanceInfo_v1) Get(b []byte) {
	_ = b[15]
	s.Version = uint32(le.Uint32(b[0:]))
	s.VgpuCount = uint32(le.Uint32(b[4:]))
}

func (s *ActiveVgpuInstanceInfo_v1) version() *uint32 { return &s.Version }

func (ActiveVgpuInstanceInfo_v1) versionWord() uint32 { return 16 | 1<<24 }

// VgpuCreatablePlacementInfo_v1 is nvmlVgpuCreatablePlacementInfo_v1_t, 32 bytes.
type VgpuCreatablePlacementInfo_v1 struct {
	Version       uint32
	VgpuTypeId    uint32
	Count         uint32
	PlacementSize uint32
}

// Sizeof is the struct's size in bytes.
func (VgpuCreatablePlacementInfo_v1) Sizeof() int { return 32 }

// Put writes the struct's bytes to b.
func (s *VgpuCreatablePlacementInfo_v1) Put(b []byte) {
	clear(b[:32])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.VgpuTypeId))
	le.PutUint32(b[8:], uint32(s.Count))
	le.PutUint32(b[24:], uint32(s.PlacementSize))
}

// Get reads them from b.
func (s *VgpuCreatablePlacementInfo_v1) Get(b []byte) {
	_ = b[31]
	s.Version = uint32(le.Uint32(b[0:]))
	s.VgpuTypeId = uint32(le.Uint32(b[4:]))
	s.Count = uint32(le.Uint32(b[8:]))
	s.PlacementSize = uint32(le.Uint32(b[24:]))
}

func (s *VgpuCreatablePlacementInfo_v1) version() *uint32 { return &s.Version }

func (VgpuCreatablePlacementInfo_v1) versionWord() uint32 { return 32 | 1<<24 }

// VgpuInstancesUtilizationInfo_v1 is nvmlVgpuInstancesUtilizationInfo_v1_t, 32 bytes.
type VgpuInstancesUtilizationInfo_v1 struct {
	Version           uint32
	SampleValType     ValueType
	VgpuInstanceCount uint32
	LastSeenTimeStamp uint64
}

// Sizeof is the struct's size in bytes.
func (VgpuInstancesUtilizationInfo_v1) Sizeof() int { return 32 }

// Put writes the struct's bytes to b.
func (s *VgpuInstancesUtilizationInfo_v1) Put(b []byte) {
	clear(b[:32])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.SampleValType))
	le.PutUint32(b[8:], uint32(s.VgpuInstanceCount))
	le.PutUint64(b[16:], uint64(s.LastSeenTimeStamp))
}

// Get reads them from b.
func (s *VgpuInstancesUtilizationInfo_v1) Get(b []byte) {
	_ = b[31]
	s.Version = uint32(le.Uint32(b[0:]))
	s.SampleValType = ValueType(le.Uint32(b[4:]))
	s.VgpuInstanceCount = uint32(le.Uint32(b[8:]))
	s.LastSeenTimeStamp = uint64(le.Uint64(b[16:]))
}

func (s *VgpuInstancesUtilizationInfo_v1) version() *uint32 { return &s.Version }

func (VgpuInstancesUtilizationInfo_v1) versionWord() uint32 { return 32 | 1<<24 }

// VgpuProcessesUtilizationInfo_v1 is nvmlVgpuProcessesUtilizationInfo_v1_t, 24 bytes.
type VgpuProcessesUtilizationInfo_v1 struct {
	Version           uint32
	VgpuProcessCount  uint32
	LastSeenTimeStamp uint64
}

// Sizeof is the struct's size in bytes.
func (VgpuProcessesUtilizationInfo_v1) Sizeof() int { return 24 }

// Put writes the struct's bytes to b.
func (s *VgpuProcessesUtilizationInfo_v1) Put(b []byte) {
	clear(b[:24])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.VgpuProcessCount))
	le.PutUint64(b[8:], uint64(s.LastSeenTimeStamp))
}

// Get reads them from b.
func (s *VgpuProcessesUtilizationInfo_v1) Get(b []byte) {
	_ = b[23]
	s.Version = uint32(le.Uint32(b[0:]))
	s.VgpuProcessCount = uint32(le.Uint32(b[4:]))
	s.LastSeenTimeStamp = uint64(le.Uint64(b[8:]))
}

func (s *VgpuProcessesUtilizationInfo_v1) version() *uint32 { return &s.Version }

func (VgpuProcessesUtilizationInfo_v1) versionWord() uint32 { return 24 | 1<<24 }

// VgpuSchedulerParams is nvmlVgpuSchedulerParams_t, a union of 8 bytes.
type VgpuSchedulerParams [8]byte

// Sizeof is the union's size in bytes.
func (VgpuSchedulerParams) Sizeof() int { return 8 }

// Put writes the union's bytes to b.
func (s *VgpuSchedulerParams) Put(b []byte) { copy(b[:8], s[:]) }

// Get reads them from b.
func (s *VgpuSchedulerParams) Get(b []byte) { copy(s[:], b[:8]) }

// VgpuSchedulerSetParams is nvmlVgpuSchedulerSetParams_t, a union of 8 bytes.
type VgpuSchedulerSetParams [8]byte

// Sizeof is the union's size in bytes.
func (VgpuSchedulerSetParams) Sizeof() int { return 8 }

// Put writes the union's bytes to b.
func (s *VgpuSchedulerSetParams) Put(b []byte) { copy(b[:8], s[:]) }

// Get reads them from b.
func (s *VgpuSchedulerSetParams) Get(b []byte) { copy(s[:], b[:8]) }

// VgpuSchedulerLogEntry is nvmlVgpuSchedulerLogEntry_t, 48 bytes.
type VgpuSchedulerLogEntry struct {
	Timestamp                uint64
	TimeRunTotal             uint64
	TimeRun                  uint64
	SwRunlistId              uint32
	TargetTimeSlice          uint64
	CumulativePreemptionTime uint64
}

// Sizeof is the struct's size in bytes.
func (VgpuSchedulerLogEntry) Sizeof() int { return 48 }

// Put writes the struct's bytes to b.
func (s *VgpuSchedulerLogEntry) Put(b []byte) {
	clear(b[:48])
	le.PutUint64(b[0:], uint64(s.Timestamp))
	le.PutUint64(b[8:], uint64(s.TimeRunTotal))
	le.PutUint64(b[16:], uint64(s.TimeRun))
	le.PutUint32(b[24:], uint32(s.SwRunlistId))
	le.PutUint64(b[32:], uint64(s.TargetTimeSlice))
	le.PutUint64(b[40:], uint64(s.CumulativePreemptionTime))
}

// Get reads them from b.
func (s *VgpuSchedulerLogEntry) Get(b []byte) {
	_ = b[47]
	s.Timestamp = uint64(le.Uint64(b[0:]))
	s.TimeRunTotal = uint64(le.Uint64(b[8:]))
	s.TimeRun = uint64(le.Uint64(b[16:]))
	s.SwRunlistId = uint32(le.Uint32(b[24:]))
	s.TargetTimeSlice = uint64(le.Uint64(b[32:]))
	s.CumulativePreemptionTime = uint64(le.Uint64(b[40:]))
}

// VgpuSchedulerLog is nvmlVgpuSchedulerLog_t, 9624 bytes.
type VgpuSchedulerLog struct {
	EngineId        uint32
	SchedulerPolicy uint32
	ArrMode         uint32
	SchedulerParams VgpuSchedulerParams
	EntriesCount    uint32
	LogEntries      [200]VgpuSchedulerLogEntry
}

// Sizeof is the struct's size in bytes.
func (VgpuSchedulerLog) Sizeof() int { return 9624 }

// Put writes the struct's bytes to b.
func (s *VgpuSchedulerLog) Put(b []byte) {
	clear(b[:9624])
	le.PutUint32(b[0:], uint32(s.EngineId))
	le.PutUint32(b[4:], uint32(s.SchedulerPolicy))
	le.PutUint32(b[8:], uint32(s.ArrMode))
	s.SchedulerParams.Put(b[12:])
	le.PutUint32(b[20:], uint32(s.EntriesCount))
	for i := range s.LogEntries {
		s.LogEntries[i].Put(b[24+i*48:])
	}
}

// Get reads them from b.
func (s *VgpuSchedulerLog) Get(b []byte) {
	_ = b[9623]
	s.EngineId = uint32(le.Uint32(b[0:]))
	s.SchedulerPolicy = uint32(le.Uint32(b[4:]))
	s.ArrMode = uint32(le.Uint32(b[8:]))
	s.SchedulerParams.Get(b[12:])
	s.EntriesCount = uint32(le.Uint32(b[20:]))
	for i := range s.LogEntries {
		s.LogEntries[i].Get(b[24+i*48:])
	}
}

// VgpuSchedulerGetState is nvmlVgpuSchedulerGetState_t, 16 bytes.
type VgpuSchedulerGetState struct {
	SchedulerPolicy uint32
	ArrMode         uint32
	SchedulerParams VgpuSchedulerParams
}

// Sizeof is the struct's size in bytes.
func (VgpuSchedulerGetState) Sizeof() int { return 16 }

// Put writes the struct's bytes to b.
func (s *VgpuSchedulerGetState) Put(b []byte) {
	clear(b[:16])
	le.PutUint32(b[0:], uint32(s.SchedulerPolicy))
	le.PutUint32(b[4:], uint32(s.ArrMode))
	s.SchedulerParams.Put(b[8:])
}

// Get reads them from b.
func (s *VgpuSchedulerGetState) Get(b []byte) {
	_ = b[15]
	s.SchedulerPolicy = uint32(le.Uint32(b[0:]))
	s.ArrMode = uint32(le.Uint32(b[4:]))
	s.SchedulerParams.Get(b[8:])
}

// VgpuSchedulerSetState is nvmlVgpuSchedulerSetState_t, 16 bytes.
type VgpuSchedulerSetState struct {
	SchedulerPolicy uint32
	EnableARRMode   uint32
	SchedulerParams VgpuSchedulerSetParams
}

// Sizeof is the struct's size in bytes.
func (VgpuSchedulerSetState) Sizeof() int { return 16 }

// Put writes the struct's bytes to b.
func (s *VgpuSchedulerSetState) Put(b []byte) {
	clear(b[:16])
	le.PutUint32(b[0:], uint32(s.SchedulerPolicy))
	le.PutUint32(b[4:], uint32(s.EnableARRMode))
	s.SchedulerParams.Put(b[8:])
}

// Get reads them from b.
func (s *VgpuSchedulerSetState) Get(b []byte) {
	_ = b[15]
	s.SchedulerPolicy = uint32(le.Uint32(b[0:]))
	s.EnableARRMode = uint32(le.Uint32(b[4:]))
	s.SchedulerParams.Get(b[8:])
}

// VgpuSchedulerCapabilities is nvmlVgpuSchedulerCapabilities_t, 40 bytes.
type VgpuSchedulerCapabilities struct {
	SupportedSchedulers [3]uint32
	MaxTimeslice        uint32
	MinTimeslice        uint32
	IsArrModeSupported  uint32
	MaxFrequencyForARR  uint32
	MinFrequencyForARR  uint32
	MaxAvgFactorForARR  uint32
	MinAvgFactorForARR  uint32
}

// Sizeof is the struct's size in bytes.
func (VgpuSchedulerCapabilities) Sizeof() int { return 40 }

// Put writes the struct's bytes to b.
func (s *VgpuSchedulerCapabilities) Put(b []byte) {
	clear(b[:40])
	for i := range s.SupportedSchedulers {
		le.PutUint32(b[0+i*4:], uint32(s.SupportedSchedulers[i]))
	}
	le.PutUint32(b[12:], uint32(s.MaxTimeslice))
	le.PutUint32(b[16:], uint32(s.MinTimeslice))
	le.PutUint32(b[20:], uint32(s.IsArrModeSupported))
	le.PutUint32(b[24:], uint32(s.MaxFrequencyForARR))
	le.PutUint32(b[28:], uint32(s.MinFrequencyForARR))
	le.PutUint32(b[32:], uint32(s.MaxAvgFactorForARR))
	le.PutUint32(b[36:], uint32(s.MinAvgFactorForARR))
}

// Get reads them from b.
func (s *VgpuSchedulerCapabilities) Get(b []byte) {
	_ = b[39]
	for i := range s.SupportedSchedulers {
		s.SupportedSchedulers[i] = uint32(le.Uint32(b[0+i*4:]))
	}
	s.MaxTimeslice = uint32(le.Uint32(b[12:]))
	s.MinTimeslice = uint32(le.Uint32(b[16:]))
	s.IsArrModeSupported = uint32(le.Uint32(b[20:]))
	s.MaxFrequencyForARR = uint32(le.Uint32(b[24:]))
	s.MinFrequencyForARR = uint32(le.Uint32(b[28:]))
	s.MaxAvgFactorForARR = uint32(le.Uint32(b[32:]))
	s.MinAvgFactorForARR = uint32(le.Uint32(b[36:]))
}

// VgpuSchedulerState_v1 is nvmlVgpuSchedulerState_v1_t, 24 bytes.
type VgpuSchedulerState_v1 struct {
	Version         uint32
	EngineId        uint32
	SchedulerPolicy uint32
	EnableARRMode   uint32
	SchedulerParams VgpuSchedulerSetParams
}

// Sizeof is the struct's size in bytes.
func (VgpuSchedulerState_v1) Sizeof() int { return 24 }

// Put writes the struct's bytes to b.
func (s *VgpuSchedulerState_v1) Put(b []byte) {
	clear(b[:24])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.EngineId))
	le.PutUint32(b[8:], uint32(s.SchedulerPolicy))
	le.PutUint32(b[12:], uint32(s.EnableARRMode))
	s.SchedulerParams.Put(b[16:])
}

// Get reads them from b.
func (s *VgpuSchedulerState_v1) Get(b []byte) {
	_ = b[23]
	s.Version = uint32(le.Uint32(b[0:]))
	s.EngineId = uint32(le.Uint32(b[4:]))
	s.SchedulerPolicy = uint32(le.Uint32(b[8:]))
	s.EnableARRMode = uint32(le.Uint32(b[12:]))
	s.SchedulerParams.Get(b[16:])
}

func (s *VgpuSchedulerState_v1) version() *uint32 { return &s.Version }

func (VgpuSchedulerState_v1) versionWord() uint32 { return 24 | 1<<24 }

// VgpuSchedulerStateInfo_v1 is nvmlVgpuSchedulerStateInfo_v1_t, 24 bytes.
type VgpuSchedulerStateInfo_v1 struct {
	Version         uint32
	EngineId        uint32
	SchedulerPolicy uint32
	ArrMode         uint32
	SchedulerParams VgpuSchedulerParams
}

// Sizeof is the struct's size in bytes.
func (VgpuSchedulerStateInfo_v1) Sizeof() int { return 24 }

// Put writes the struct's bytes to b.
func (s *VgpuSchedulerStateInfo_v1) Put(b []byte) {
	clear(b[:24])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.EngineId))
	le.PutUint32(b[8:], uint32(s.SchedulerPolicy))
	le.PutUint32(b[12:], uint32(s.ArrMode))
	s.SchedulerParams.Put(b[16:])
}

// Get reads them from b.
func (s *VgpuSchedulerStateInfo_v1) Get(b []byte) {
	_ = b[23]
	s.Version = uint32(le.Uint32(b[0:]))
	s.EngineId = uint32(le.Uint32(b[4:]))
	s.SchedulerPolicy = uint32(le.Uint32(b[8:]))
	s.ArrMode = uint32(le.Uint32(b[12:]))
	s.SchedulerParams.Get(b[16:])
}

func (s *VgpuSchedulerStateInfo_v1) version() *uint32 { return &s.Version }

func (VgpuSchedulerStateInfo_v1) versionWord() uint32 { return 24 | 1<<24 }

// VgpuSchedulerLogInfo_v1 is nvmlVgpuSchedulerLogInfo_v1_t, 9632 bytes.
type VgpuSchedulerLogInfo_v1 struct {
	Version         uint32
	EngineId        uint32
	SchedulerPolicy uint32
	ArrMode         uint32
	SchedulerParams VgpuSchedulerParams
	EntriesCount    uint32
	LogEntries      [200]VgpuSchedulerLogEntry
}

// Sizeof is the struct's size in bytes.
func (VgpuSchedulerLogInfo_v1) Sizeof() int { return 9632 }

// Put writes the struct's bytes to b.
func (s *VgpuSchedulerLogInfo_v1) Put(b []byte) {
	clear(b[:9632])
	le.PutUint32(b[0:], uint32(s.Version))
	le.PutUint32(b[4:], uint32(s.EngineId))
	le.PutUint32(b[8:], uint32(s.SchedulerPolicy))
	le.PutUint32(b[12:], uint32(s.ArrMode))
	s.SchedulerParams.Put(b[16:])
	le.PutUint32(b[24:], uint32(s.EntriesCount))
	for i := range s.LogEntries {
		s.LogEntries[i].Put(b[32+i*48:])
	}
}

// Get reads them from b.
func (s *VgpuSchedulerLogInfo_v1) Get(b []byte) {
	_ = b[9631]
	s.Version = uint32(le.Uint32(b[0:]))
	s.EngineId = uint32(le.Uint32(b[4:]))
	s.SchedulerPolicy = uint32(le.Uint32(b[8:]))
	s.ArrMode = uint32(le.Uint32(b[12:]))
	s.SchedulerParams.Get(b[16:])
	s.EntriesCount = uint32(le.Uint32(b[24:]))
	for i := range s.LogEntries {
		s.LogEntries[i].Get(b[32+i*48:])
	}
}

func (s *VgpuSchedulerLogInfo_v1) version() *uint32 { return &s.Version }

func (VgpuSchedulerLogInfo_v1) versionWord() uint32 { return 9632 | 1<<24 }

// EventData_v1 is nvmlEventData_v1_t, 24 bytes.
type EventData_v1 struct {
	Device    Device
	EventType uint64
	EventData uint64
}

// Sizeof is the struct's size in bytes.
func (EventData_v1) Sizeof() int { return 24 }

// Put writes the struct's bytes to b.
func (s *EventData_v1) Put(b []byte) {
	clear(b[:24])
	le.PutUint64(b[0:], uint64(s.Device))
	le.PutUint64(b[8:], uint64(s.EventType))
	le.PutUint64(b[16:], uint64(s.EventData))
}

// Get reads them from b.
func (s *EventData_v1) Get(b []byte) {
	_ = b[23]
	s.Device = Device(le.Uint64(b[0:]))
	s.EventType = uint64(le.Uint64(b[8:]))
	s.EventData = uint64(le.Uint64(b[16:]))
}

// GpmFigure is axGpmFigure, 208 bytes.
type GpmFigure struct {
	MetricId   uint32
	NvmlReturn Return
	Value      float64
	ShortName  string // at most 39 bytes
	LongName   string // at most 127 bytes
	Unit       string // at most 23 bytes
}

// Sizeof is the struct's size in bytes.
func (GpmFigure) Sizeof() int { return 208 }

// Put writes the struct's bytes to b.
func (s *GpmFigure) Put(b []byte) {
	clear(b[:208])
	le.PutUint32(b[0:], uint32(s.MetricId))
	le.PutUint32(b[4:], uint32(s.NvmlReturn))
	le.PutUint64(b[8:], math.Float64bits(s.Value))
	putText(b[16:56], s.ShortName)
	putText(b[56:184], s.LongName)
	putText(b[184:208], s.Unit)
}

// Get reads them from b.
func (s *GpmFigure) Get(b []byte) {
	_ = b[207]
	s.MetricId = uint32(le.Uint32(b[0:]))
	s.NvmlReturn = Return(le.Uint32(b[4:]))
	s.Value = math.Float64frombits(le.Uint64(b[8:]))
	s.ShortName = text(b[16:56])
	s.LongName = text(b[56:184])
	s.Unit = text(b[184:208])
}

// textsReturn are the library's own words for a nvmlReturn_t.
var textsReturn = map[Return]string{
	SUCCESS:                         "Success",
	ERROR_UNINITIALIZED:             "Uninitialized",
	ERROR_INVALID_ARGUMENT:          "Invalid Argument",
	ERROR_NOT_SUPPORTED:             "Not Supported",
	ERROR_NO_PERMISSION:             "Insufficient Permissions",
	ERROR_ALREADY_INITIALIZED:       "Already Initialized",
	ERROR_NOT_FOUND:                 "Not Found",
	ERROR_INSUFFICIENT_SIZE:         "Insufficient Size",
	ERROR_INSUFFICIENT_POWER:        "Insufficient External Power",
	ERROR_DRIVER_NOT_LOADED:         "Driver Not Loaded",
	ERROR_TIMEOUT:                   "Timeout",
	ERROR_IRQ_ISSUE:                 "Interrupt Request Issue",
	ERROR_LIBRARY_NOT_FOUND:         "NVML Shared Library Not Found",
	ERROR_FUNCTION_NOT_FOUND:        "Function Not Found",
	ERROR_CORRUPTED_INFOROM:         "Corrupted infoROM",
	ERROR_GPU_IS_LOST:               "GPU is lost",
	ERROR_RESET_REQUIRED:            "GPU requires reset",
	ERROR_OPERATING_SYSTEM:          "GPU access blocked by the operating system",
	ERROR_LIB_RM_VERSION_MISMATCH:   "Driver/library version mismatch",
	ERROR_IN_USE:                    "In use by another client",
	ERROR_MEMORY:                    "Insufficient Memory",
	ERROR_NO_DATA:                   "No data",
	ERROR_VGPU_ECC_NOT_SUPPORTED:    "vGPU ECC not supported",
	ERROR_INSUFFICIENT_RESOURCES:    "Insufficient Resources",
	ERROR_FREQ_NOT_SUPPORTED:        "Invalid Frequency",
	ERROR_ARGUMENT_VERSION_MISMATCH: "Argument version mismatch",
	ERROR_DEPRECATED:                "Requested functionality has been deprecated",
	ERROR_NOT_READY:                 "System is not in ready state",
	ERROR_GPU_NOT_FOUND:             "No supported GPUs were found",
	ERROR_INVALID_STATE:             "Resource not in correct state to perform requested operation",
	ERROR_RESET_TYPE_NOT_SUPPORTED:  "Reset type is not supported for given device",
	ERROR_UNKNOWN:                   "Unknown Error",
}
