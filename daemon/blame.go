// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"maps"
	"slices"
	"time"
)

// What a worker died of is among the calls that it had not answered, and one
// that is made once more and is there at the next death, too, is likely to be
// it. So its user is refused for a while and the others are not: a new worker
// for everybody each time would be little better than none.

// blamed are users, and since when; under telemetry.mu.
type blamed map[uint32]blame

type blame struct {
	deaths int // in a row
	until  time.Time
}

// pauseAfter is how long is waited after so many deaths in a row: the first is
// replaced at once.
func pauseAfter(deaths int) time.Duration {
	if deaths < 2 {
		return 0
	}
	return min(time.Second<<min(deaths-2, 10), telemetryAgainMax)
}

// blame blames the users of calls that a worker has died with. It returns the
// longest time for which one is refused now.
func (b *blamed) blame(lost []telemetryCall) time.Duration {
	now := time.Now()
	for uid, of := range *b {
		if now.Sub(of.until) > provenTime {
			delete(*b, uid)
		}
	}
	if *b == nil {
		*b = blamed{}
	}
	users := map[uint32]bool{}
	for _, c := range lost {
		users[c.uid] = users[c.uid] || !c.call.waits
	}
	running := slices.Contains(slices.Collect(maps.Values(users)), true)
	longest := time.Duration(0)
	for uid, runs := range users {
		if running && !runs { // who only waits for an event hardly ever is in the library
			continue
		}
		of := (*b)[uid]
		of.deaths++
		pause := pauseAfter(of.deaths)
		of.until = now.Add(pause)
		(*b)[uid] = of
		longest = max(longest, pause)
	}
	return longest
}

// refuses says whether a user is refused now.
func (b blamed) refuses(uid uint32) bool { return time.Now().Before(b[uid].until) }
