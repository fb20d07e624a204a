// SPDX-License-Identifier: Apache-2.0

package vm

import (
	"fmt"
	"testing"
)

// TestAnybodyHearsOfSessions: on the system bus, as a user who may have none.
func TestAnybodyHearsOfSessions(t *testing.T) {
	g := installed(t, "linger")
	g.run("systemctl start axond")
	g.run(`: >/run/heard; chown mallory /run/heard
setsid runuser -l mallory -c "exec dbus-monitor --system \"type='signal',sender='` + busName + `'\"" >/run/heard 2>/run/unheard </dev/null &
until grep -q NameAcquired /run/heard; do sleep .1; done`)
	// heard waits until mallory has heard something that was not there before.
	from := 1
	heard := func(pattern string) {
		t.Helper()
		r := g.try(fmt.Sprintf(`end=$((SECONDS + 120)); until tail -n +%d /run/heard | tr -s '\n ' '  ' | grep -q -E -e %s; do
	if [ $SECONDS -gt $end ]; then cat /run/heard /run/unheard; exit 1; fi; sleep .1; done; wc -l </run/heard`, from, quoted(pattern)))
		if r.status != 0 {
			t.Fatalf("mallory does not hear %s:\n%s", pattern, r.out)
		}
		fmt.Sscan(r.out, &from)
		from++
	}
	one := busRoot + "/session/_1"
	p := g.start("alice", "first")
	heard("member=InterfacesAdded .*object path \"" + one + "\".*member=SessionNew uint32 1 object path \"" + one + "\"")
	g.run(as("alice", "axon session limit 1 4G"))
	heard("path=" + one + "; interface=org.freedesktop.DBus.Properties; member=PropertiesChanged string \"" + busName + `.Session" .*string "MemoryMax" variant uint64 4294967296`)
	g.run(as("alice", "axon session terminate 1"))
	heard("path=" + one + `; .*member=PropertiesChanged .*string "State" variant string "ending".*member=SessionRemoved uint32 1 object path "` + one + `".*member=InterfacesRemoved object path "` + one + `"`)
	p.expect("call", gone)
	g.start("bob", "second").leave()
	heard(`member=SessionNew uint32 2 .*member=SessionRemoved uint32 2 `)
	g.quiet()
}
