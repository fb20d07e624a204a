// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"strconv"
	"strings"
)

// layout is how the default table of a release looks. What each has is seen in
// output of drivers 535.104 to 535.183, 550.54 to 550.163, 570.86 to 570.211 and
// 580.65 to 580.173; releases between them are given the newest that is not newer.
type layout struct {
	width         int // of the whole table, bars included
	driverVersion int // of its cell in the header
	firstRule     byte
	memory        int    // of the memory column
	usage, cap    int    // of the power cell's halves
	pid, name     int    // of the process table's cells
	space         string // the line before the processes
	migMemory     string // the column's heading
	migBAR1       string
	migColumn     int
	migShared     string // the third and fourth heading
	migEngines    string
	bar1Left      int // where the second line's number ends
	bar1Right     int // spaces after it
	memoryRight   int
}

// The line of spaces is as long in tables that are wider.
var spaces89 = strings.Repeat(" ", 89)

var layouts = []struct {
	since int
	layout
}{
	{580, layout{91, 14, '+', 24, 16, 5, 16, 32, "", "Shared Memory-Usage", "Shared BAR1-Usage", 34,
		"        Shared         ", " CE ENC  DEC  OFA  JPG ", 19, 4, 4}},
	{565, layout{91, 14, '|', 24, 16, 5, 16, 32, spaces89, "Memory-Usage", "BAR1-Usage", 34,
		"        Shared         ", " CE ENC  DEC  OFA  JPG ", 21, 2, 4}},
	{545, layout{91, 14, '|', 24, 16, 5, 10, 38, spaces89, "Memory-Usage", "BAR1-Usage", 34,
		"      Shared           ", " CE ENC DEC OFA JPG    ", 21, 2, 4}},
	{0, layout{89, 12, '|', 22, 17, 4, 10, 38, spaces89, "Memory-Usage", "BAR1-Usage", 32,
		"      Shared           ", " CE ENC DEC OFA JPG    ", 19, 2, 2}},
}

// layoutOf is for a driver's version; one that cannot be read is as 580.
func layoutOf(version string) *layout {
	n := driverMajor(version)
	for i := range layouts {
		if n >= layouts[i].since {
			return &layouts[i].layout
		}
	}
	return &layouts[0].layout
}

func driverMajor(version string) int { return releaseOf(version).major }

// release is a driver's: 580.159.04 is the 159th of 580.
type release struct{ major, minor int }

// releaseOf reads a version; one that cannot be read is as the newest of 580.
func releaseOf(version string) release {
	parts := strings.Split(version, ".")
	major, err := strconv.Atoi(parts[0])
	if err != nil || len(parts) < 2 {
		return release{580, 999}
	}
	minor, err := strconv.Atoi(parts[1])
	if err != nil {
		minor = 999
	}
	return release{major, minor}
}

// since says whether a release is not before another.
func (r release) since(major, minor int) bool {
	return r.major > major || r.major == major && r.minor >= minor
}
