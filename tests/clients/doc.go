// SPDX-License-Identifier: Apache-2.0

// Package clients runs programs that other people have written for NVML, as
// they are, on axond, the shim and the software GPU.
package clients
