// SPDX-License-Identifier: Apache-2.0

package smi

import "nervlinux.org/axon/nvml"

// Fields of nvmlDeviceGetFieldValues, by number: NVML's documentation, "Field Value Enums".
const (
	fieldPowerCapTime      = 74
	fieldSyncBoostTime     = 76
	fieldMemoryTemperature = 82
	fieldReplayRollovers   = 95
	fieldPowerAverage      = 185
	fieldPowerInstant      = 186
	fieldPowerMin          = 187
	fieldPowerMax          = 188
	fieldPowerDefault      = 189
	fieldPowerCurrent      = 190
	fieldPowerRequested    = 192
	fieldShutdownLimit     = 193
	fieldSlowdownLimit     = 194
	fieldMemMaxLimit       = 195
	fieldGPUMaxLimit       = 196
	fieldReset             = 226
	fieldDrain             = 227
	fieldAtomicsOut        = 228
	fieldAtomicsIn         = 229
	fieldRecovery          = 230
	fieldSWThermalTime     = 269
	fieldHWThermalTime     = 270
	fieldPowerBrakeTime    = 271
	fieldSmoothing         = 251
	fieldLinkSpeed         = 164
	fieldLinkCount         = 91
	scopeGPU, scopeModule  = 0, 1
	scopeMemory            = 2
)

// Drivers from 575 to 580's first releases numbered these fields otherwise: what
// is a time to one is power smoothing to the other. A time has 64 bits, and no
// value of power smoothing has.
var (
	fieldReasonTimes = [5][]uint32{{fieldPowerCapTime}, {fieldSyncBoostTime}, {fieldSWThermalTime, 251}, {fieldHWThermalTime, 252}, {fieldPowerBrakeTime, 253}}
	fieldSmoothings  = []uint32{fieldSmoothing, 256}
)

// field asks for one value. One a call: a recording then has an answer whatever
// is asked for together.
func (s *source) field(g *GPU, id, scope uint32) Val[float64] {
	v, _ := s.typed(g, id, scope)
	return v
}

// typed is field, and whether the value has 64 bits.
func (s *source) typed(g *GPU, id, scope uint32) (v Val[float64], long bool) {
	f := []nvml.FieldValue{{FieldId: id, ScopeId: scope}}
	if r := s.DeviceGetFieldValues(g.handle, f); r != Success {
		return none[float64](r), false
	}
	if f[0].NvmlReturn != Success {
		return none[float64](f[0].NvmlReturn), false
	}
	n, ok := f[0].Value.Of(f[0].ValueType)
	if !ok {
		return none[float64](UnknownError), false
	}
	return of(n), f[0].ValueType == nvml.VALUE_TYPE_UNSIGNED_LONG_LONG
}

// numbered is the first of ids that has a value, and one of 64 bits or not.
func (s *source) numbered(g *GPU, ids []uint32, long bool) Val[float64] {
	v := none[float64](NotSupported)
	for _, id := range ids {
		n, is := s.typed(g, id, 0)
		if n.OK() && is == long {
			return n
		}
		if !n.OK() && v.R == NotSupported {
			v = n
		}
	}
	return v
}

func (s *source) unsigned(g *GPU, id, scope uint32) Val[uint32] {
	return pick(s.field(g, id, scope), func(n float64) uint32 { return uint32(n) })
}

func (s *source) signed(g *GPU, id uint32) Val[int32] {
	return pick(s.field(g, id, 0), func(n float64) int32 { return int32(int64(n)) })
}

func (s *source) long(g *GPU, id uint32) Val[uint64] {
	return pick(s.field(g, id, 0), func(n float64) uint64 { return uint64(n) })
}

func readLimits(s *source, g *GPU) {
	g.ShutdownT = s.signed(g, fieldShutdownLimit)
	g.SlowdownT = s.signed(g, fieldSlowdownLimit)
	g.GPUMaxT = s.signed(g, fieldGPUMaxLimit)
	g.MemMaxT = s.signed(g, fieldMemMaxLimit)
}

func readReasonTimes(s *source, g *GPU) {
	for i, ids := range fieldReasonTimes {
		g.ReasonTimes[i] = pick(s.numbered(g, ids, true), func(ns float64) uint64 { return uint64(ns) / 1000 })
	}
}

func readPowerFields(s *source, g *GPU) {
	g.PowerAverage = s.unsigned(g, fieldPowerAverage, scopeGPU)
	g.PowerInstant = s.unsigned(g, fieldPowerInstant, scopeGPU)
	g.MemoryPowerAverage = s.unsigned(g, fieldPowerAverage, scopeMemory)
	g.MemoryPowerInstant = s.unsigned(g, fieldPowerInstant, scopeMemory)
}

func readModulePower(s *source, g *GPU) {
	g.ModulePowerAverage = s.unsigned(g, fieldPowerAverage, scopeModule)
	g.ModulePowerInstant = s.unsigned(g, fieldPowerInstant, scopeModule)
	g.ModulePowerEnforced = s.unsigned(g, fieldPowerCurrent, scopeModule)
	g.ModulePowerLimit = s.unsigned(g, fieldPowerRequested, scopeModule)
	g.ModulePowerDefault = s.unsigned(g, fieldPowerDefault, scopeModule)
	g.ModulePowerMin = s.unsigned(g, fieldPowerMin, scopeModule)
	g.ModulePowerMax = s.unsigned(g, fieldPowerMax, scopeModule)
}
