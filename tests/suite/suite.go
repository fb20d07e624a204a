// SPDX-License-Identifier: Apache-2.0

// Package suite runs whole programs against whole installations: the C test
// programs on the software GPU itself, through axon, through axon and a relay,
// and under sanitizers; and causes faults to see who notices.
//
// It tests what `make` built: the folder is AXON_BUILD, or build/ above.
package suite
