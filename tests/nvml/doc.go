// SPDX-License-Identifier: Apache-2.0

// Package nvml tests the shim's libnvidia-ml.so.1 and the telemetry worker
// together, with something in the place of axond that does what a test wants:
// that ends and comes back, or answers nonsense. Its programs are written to
// NVML alone.
package nvml
