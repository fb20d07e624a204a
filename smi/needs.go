// SPDX-License-Identifier: Apache-2.0

package smi

// What outputs take.

var tableReadings = []reading{
	rName, rPCI, rPersistence, rDisplayActive, rECC, rECCTotal, rFan, rTemperature, rPState, rPower, rPowerEnforced, rMemory, rUtilization,
	rComputeMode, rMIG, rMIGDevices, rProcesses,
}

var sectionReadings = [sections][]reading{
	secIdentity: {
		rName, rBrand, rArchitecture, rDisplayAttached, rDisplayActive, rPersistence, rAddressing, rSerial, rUUID, rPDI, rMinor, rVBIOS,
		rMultiGPUBoard, rBoardID, rBoardPart, rPlatform, rModuleID, rInforomImage, rInforom, rBBX, rGOM, rC2C, rVirtualization, rHostVGPU,
		rHeterogeneous, rRecovery, rReset, rPCI, rLinkGenMax, rLinkGen, rLinkGenGPUMax, rLinkWidthMax, rLinkWidth, rBridge, rReplays, rRollovers,
		rTx, rRx, rAtomics, rFan,
	},
	secMIG:             {rMIG, rMIGDevices},
	secAccounting:      {rAccounting, rAccountingBuffer},
	secGSP:             {rGSPVersion},
	secPerformance:     {rPState, rReasons, rReasonTimes, rArchitecture},
	secMemory:          {rMemory, rBAR1, rProtected},
	secCompute:         {rComputeMode},
	secUtilization:     {rUtilization, rUtilEncoder, rUtilDecoder, rUtilJPEG, rUtilOFA},
	secEncoder:         {rEncoder},
	secFBC:             {rFBC},
	secECC:             {rECC, rECCCounts, rSRAM, rRepair, rUnrepairable, rArchitecture},
	secRetired:         {rRetiredSBE, rRetiredDBE, rRetiredPending},
	secRows:            {rRemapped, rHistogram},
	secTemperature:     {rTemperature, rMargin, rMemoryTemperature, rThresholds, rLimits, rTarget},
	secTarget:          {rTargetRange},
	secPower:           {rPower, rPowerFields, rPowerEnforced, rPowerLimit, rPowerDefault, rPowerRange, rModulePower, rPState},
	secSmoothing:       {rSmoothing},
	secProfiles:        {},
	secClock:           {rClocks, rAppClocks, rDefaultClocks, rMaxClocks, rBoostClock, rAutoBoost},
	secVoltage:         {},
	secSupportedClocks: {rSupportedClocks},
	secPIDs:            {rProcesses},
	secRest:            {rDRAMEncryption, rFabric, rCapabilities},
}

// sampleReadings are those of sections that were asked for by name.
var sampleReadings = [sections][]reading{
	secAccounting:  {rAccounted},
	secUtilization: {rUtilizationSamples},
	secPower:       {rPowerSamples},
	secClock:       {rClockSamples},
}
