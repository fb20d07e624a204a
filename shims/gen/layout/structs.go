// SPDX-License-Identifier: Apache-2.0

package layout

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"nervlinux.org/axon/shims/gen/describe"
)

// A Struct is how C (LP64) lays out a struct or a union.
type Struct struct {
	Size, Align int
	Union       bool
	Members     []Member
}

// A Member is one of its members. Count is 0 for one that is no array, else the number of elements.
type Member struct {
	Name    string // empty for an unnamed struct or union
	Offset  int
	Size    int // of an element
	Count   int
	Type    *describe.Type // nil for a pointer and for what is described in place
	Nested  *Struct        // described in place
	Pointer bool
}

var (
	nestedRE  = regexp.MustCompile(`^(struct|union)(?: \w+)? \{$`)
	closingRE = regexp.MustCompile(`^\}(?: (\w+)((?:\[\w+\])*))?$`)
	plainRE   = regexp.MustCompile(`^(?:const )?(?:struct )?([\w ]+?) ?(\*+(?:const \*)?)?(\w+)((?:\[\w+\])*)(?: aligned (\d+))?$`)
	dimRE     = regexp.MustCompile(`\[(\w+)\]`)
)

// StructOf lays out a struct or a union.
func StructOf(a *describe.API, t *describe.Type) (*Struct, error) {
	if t.Kind != describe.Struct && t.Kind != describe.Union {
		return nil, fmt.Errorf("%s is no struct", t.Name)
	}
	s, rest, err := members(a, t.Body, t.Kind == describe.Union, 0)
	if err == nil && len(rest) != 0 {
		err = fmt.Errorf("a closing brace too many")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.Name, err)
	}
	return s, nil
}

// members reads members up to a closing brace, and answers what comes after that, the brace's line first.
func members(a *describe.API, body []string, union bool, depth int) (*Struct, []string, error) {
	s := &Struct{Align: 1, Union: union}
	if depth > 8 {
		return nil, nil, fmt.Errorf("structs in structs, too deep")
	}
	for len(body) > 0 && body[0][0] != '}' {
		line := body[0]
		body = body[1:]
		m := Member{}
		align, dims := 0, ""
		if n := nestedRE.FindStringSubmatch(line); n != nil {
			nested, rest, err := members(a, body, n[1] == "union", depth+1)
			if err != nil {
				return nil, nil, err
			}
			if len(rest) == 0 {
				return nil, nil, fmt.Errorf("a brace stays open")
			}
			end := closingRE.FindStringSubmatch(rest[0])
			if end == nil {
				return nil, nil, fmt.Errorf("%q ends no struct", rest[0])
			}
			body = rest[1:]
			m.Name, dims, m.Nested, m.Size, align = end[1], end[2], nested, nested.Size, nested.Align
		} else {
			p := plainRE.FindStringSubmatch(line)
			if p == nil {
				return nil, nil, fmt.Errorf("%q is no member", line)
			}
			m.Name, dims = p[3], p[4]
			if p[2] != "" {
				m.Pointer, m.Size, align = true, 8, 8
			} else {
				t := a.Resolve(p[1])
				if t == nil {
					return nil, nil, fmt.Errorf("%s: there is no type %s", m.Name, p[1])
				}
				size, natural, err := sizeOf(a, t, depth)
				if err != nil {
					return nil, nil, err
				}
				m.Type, m.Size, align = t, size, natural
			}
			if p[5] != "" {
				align, _ = strconv.Atoi(p[5])
			}
		}
		for _, d := range dimRE.FindAllStringSubmatch(dims, -1) {
			n, err := number(a, d[1])
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", m.Name, err)
			}
			m.Count = max(m.Count, 1) * n
		}
		m.Offset = 0
		if !union {
			m.Offset = up(s.Size, align)
		}
		s.Size = max(s.Size, m.Offset+m.Size*max(m.Count, 1))
		s.Align = max(s.Align, align)
		s.Members = append(s.Members, m)
	}
	s.Size = up(s.Size, s.Align)
	return s, body, nil
}

func up(n, to int) int { return (n + to - 1) / to * to }

// sizeOf is a type's size and alignment as a member.
func sizeOf(a *describe.API, t *describe.Type, depth int) (size, align int, err error) {
	switch t.Kind {
	case describe.Scalar:
		if t.Size == 0 {
			return 0, 0, fmt.Errorf("void is no member")
		}
		return t.Size, t.Size, nil
	case describe.Enum:
		return 4, 4, nil
	case describe.Handle, describe.Callback, describe.Alias: // an alias that is left is one of a pointer
		return 8, 8, nil
	}
	if depth > 8 {
		return 0, 0, fmt.Errorf("structs in structs, too deep")
	}
	s, _, err := members(a, t.Body, t.Kind == describe.Union, depth+1)
	if err != nil {
		return 0, 0, fmt.Errorf("%s: %w", t.Name, err)
	}
	return s.Size, s.Align, nil
}

// number is a number that a description writes down, or names.
func number(a *describe.API, word string) (int, error) {
	for _, c := range a.Consts {
		if c.Name == word {
			word = c.Value
			break
		}
	}
	n, err := strconv.ParseUint(strings.TrimSpace(word), 0, 20)
	if err != nil || n == 0 {
		return 0, fmt.Errorf("%q is no number of elements", word)
	}
	return int(n), nil
}
