// SPDX-License-Identifier: Apache-2.0

package daemon

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestWhoIsAdmitted(t *testing.T) {
	group := Policy{Group: "video", GID: 44, HasGroup: true, AxondRoot: true}
	user := Policy{Group: "video", GID: 44, HasGroup: true, AxondUID: 1000}
	none := Policy{Group: "gpu", AxondRoot: true}
	for _, c := range []struct {
		what     string
		id       Identity
		policy   Policy
		admitted bool
	}{
		{"root", Identity{}, group, true},
		{"root, without a group", Identity{}, none, true},
		{"a member by supplementary group", Identity{UID: 5, GID: 5, Groups: []uint32{1, 44}}, group, true},
		{"a member by primary group", Identity{UID: 5, GID: 44}, group, true},
		{"an outsider", Identity{UID: 5, GID: 5, Groups: []uint32{4, 444}}, group, false},
		{"axond's own user", Identity{UID: 1000, GID: 5}, user, true},
		{"another user", Identity{UID: 1001, GID: 5}, user, false},
		{"a member, axond not root", Identity{UID: 1001, GID: 5, Groups: []uint32{44}}, user, true},
		// Group 0 is what a policy without a group would compare with.
		{"a member of group 0, without a group", Identity{UID: 5, GID: 0, Groups: []uint32{0}}, none, false},
		// A root axond's own uid is 0 and nobody else's.
		{"nobody", Identity{UID: 65534, GID: 65534}, group, false},
	} {
		err := c.id.Admitted(c.policy)
		if (err == nil) != c.admitted {
			t.Errorf("%s: %v", c.what, err)
		}
		if err != nil && (!strings.Contains(err.Error(), "usermod -aG "+c.policy.Group) || !strings.Contains(err.Error(), c.id.user())) {
			t.Errorf("%s is not told what to do: %v", c.what, err)
		}
	}
}

func TestWorkersRunAsTheClientOnlyIfAxondCan(t *testing.T) {
	id := Identity{UID: 5, GID: 6, Groups: []uint32{7}}
	c := id.Credential(Policy{AxondRoot: true})
	if c == nil || c.Uid != 5 || c.Gid != 6 || !slices.Equal(c.Groups, []uint32{7}) || c.NoSetGroups {
		t.Errorf("the worker would run as %+v", c)
	}
	if c := id.Credential(Policy{AxondUID: 1000}); c != nil {
		t.Errorf("an axond without root would try %+v", c)
	}
}

func TestTheKernelSaysWhoConnects(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sock")
	l, err := net.ListenUnix("unixpacket", &net.UnixAddr{Name: path, Net: "unixpacket"})
	must(t, err)
	defer l.Close()
	c, err := net.DialUnix("unixpacket", nil, &net.UnixAddr{Name: path, Net: "unixpacket"})
	must(t, err)
	defer c.Close()
	s, err := l.AcceptUnix()
	must(t, err)
	defer s.Close()
	id, err := Identify(s)
	must(t, err)
	defer id.Close()
	groups, _ := os.Getgroups()
	if id.PID != os.Getpid() || id.UID != uint32(os.Getuid()) || id.GID != uint32(os.Getgid()) || len(id.Groups) != len(groups) {
		t.Errorf("the kernel says %+v", id)
	}
}

func TestAGroupIsFoundByNameOrNumber(t *testing.T) {
	if p, err := NewPolicy("4711", true); err != nil || !p.HasGroup || p.GID != 4711 {
		t.Errorf("4711: %+v, %v", p, err)
	}
	if _, err := NewPolicy("no-such-group", true); err == nil || !strings.Contains(err.Error(), "groupadd") {
		t.Errorf("a group that was asked for and is missing: %v", err)
	}
	if p, err := NewPolicy("no-such-group", false); err != nil || p.HasGroup {
		t.Errorf("a group that may be missing: %+v, %v", p, err)
	}
}

func TestNothingFromAClientDrawsOnATerminal(t *testing.T) {
	if got := printable("a\x1b[31m\u202eb\xff\n", 100); strings.ContainsAny(got, "\x1b\n\u202e") || !strings.HasPrefix(got, "a?[31m") {
		t.Errorf("%q", got)
	}
	if got := printable(strings.Repeat("ä", 100), 15); len(got) > 15 {
		t.Errorf("%d bytes are too long", len(got))
	}
}
