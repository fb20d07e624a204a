// SPDX-License-Identifier: Apache-2.0

package smi

// reading is a call, or a few that belong together, whose answers fill in fields
// of a Machine or a GPU. An output says which it needs; no other is made.
type reading int

const (
	rNothing reading = iota // always known: the number of GPUs, their index, driver and CUDA version
	// The driver measures these two over what it did last: other calls, which cross the bus, come after.
	rTx
	rRx
	rName
	rBrand
	rArchitecture
	rDisplayAttached
	rDisplayActive
	rPersistence
	rAddressing
	rMIG
	rMIGDevices
	rMIGNames
	rAccounting
	rAccountingBuffer
	rSerial
	rUUID
	rPDI
	rMinor
	rVBIOS
	rMultiGPUBoard
	rBoardID
	rBoardPart
	rPlatform
	rModuleID
	rInforomImage
	rInforom
	rInforomValid
	rBBX
	rGOM
	rC2C
	rVirtualization
	rHostVGPU
	rHeterogeneous
	rRecovery
	rReset
	rGSPVersion
	rGSP
	rPCI
	rLinkGenMax
	rLinkGen
	rLinkGenGPUMax
	rLinkWidthMax
	rLinkWidth
	rBridge
	rReplays
	rRollovers
	rAtomics
	rFan
	rPState
	rReasons
	rReasonsSupported
	rReasonTimes
	rMemory
	rBAR1
	rProtected
	rComputeMode
	rCapability
	rUtilization
	rUtilEncoder
	rUtilDecoder
	rUtilJPEG
	rUtilOFA
	rEncoder
	rFBC
	rDRAMEncryption
	rECC
	rECCTotal  // uncorrected since the driver was loaded
	rECCCounts // all of them
	rSRAM
	rRepair
	rUnrepairable
	rRetiredSBE
	rRetiredDBE
	rRetiredPending
	rRemapped
	rHistogram
	rTemperature
	rMargin
	rMemoryTemperature
	rThresholds
	rLimits
	rTarget
	rTargetRange
	rPowerManagement
	rPower
	rPowerFields
	rPowerEnforced
	rPowerLimit
	rPowerDefault
	rPowerRange
	rModulePower
	rSmoothing
	rClocks
	rAppClocks
	rDefaultClocks
	rMaxClocks
	rBoostClock
	rAutoBoost
	rFabric
	rCapabilities
	rHostname
	rVGPU
	rProcesses
	rComputeApps
	rAccounted
	rSupportedClocks
	rPowerSamples
	rUtilizationSamples
	rClockSamples
	rVGPUDriver // of the machine
	rUnits      // of the machine
	rExcluded   // of the machine
	readings
)

// wants is a set of readings.
type wants [readings]bool

func (w *wants) add(rs ...reading) {
	for _, r := range rs {
		w[r] = true
	}
}
