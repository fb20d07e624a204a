// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// gpmUnassigned are the first and last of the numbers, among those of NVML's metrics of GPU performance monitoring,
// that mean none.
var gpmUnassigned = [][2]int{{8, 8}, {14, 19}, {22, 29}, {38, 39}, {48, 49}, {52, 59}, {98, 99}}

// unassignedMetrics are the columns of dmon's --gpm-metrics that have no value ever. How those of a metric are headed
// was not seen: ok is false where the list has one.
func unassignedMetrics(list string) (columns []column, ok bool) {
	for word := range strings.SplitSeq(list, ",") {
		id, err := strconv.Atoi(word)
		if err != nil || !slices.ContainsFunc(gpmUnassigned, func(r [2]int) bool { return r[0] <= id && id <= r[1] }) {
			return nil, false
		}
		columns = append(columns, column{fmt.Sprintf("id=%d", id), "GPM:%", 11})
	}
	return columns, true
}
