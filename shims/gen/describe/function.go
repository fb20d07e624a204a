// SPDX-License-Identifier: Apache-2.0

package describe

import (
	"regexp"
	"strconv"
	"strings"
)

var ways = map[string]Way{"wait": Wait, "post": Post, "here": Here, "refuse": Refuse, "later": Later}

var (
	funcRE   = regexp.MustCompile(`^((?:[a-z]+ )+)(\w+)\(([^"]*?)\)( .*)?$`)
	resultRE = regexp.MustCompile(`^returns (?:const )?\w+(?: \*)?$`)
	usualRE  = regexp.MustCompile(`^usual (\w+) (\w+)$`)
	lookupRE = regexp.MustCompile(`^= (\w+) (\d+)( per-thread)?$`)
	alsoRE   = regexp.MustCompile(`^also (\w+)(?:( apart)| with ((?:\w+ )+)(\d+) as (\d+))?(?: (= .*))?$`)
	argRE    = regexp.MustCompile(`^((?:const )?(?:unsigned (?:char|short|int|long long|long)|long long|\w+)) (\*+(?:const \*)?)?(\??)(\w+)(?:\[([^\]]*)\])?$`)
)

// parseFunc reads a function. Its argument list may go on over indented lines; what follows the list stands on the
// same line or on lines of its own.
func parseFunc(s *Statement) (*Func, error) {
	head, n := s.Lines[0], 1
	for !closed(head) {
		if n == len(s.Lines) {
			return nil, s.Errorf("%q is no declaration; a function reads: wait NAME(ARGUMENTS) = NAME VERSION", s.Lines[0])
		}
		head += " " + strings.TrimSpace(s.Lines[n])
		n++
	}
	m := funcRE.FindStringSubmatch(head)
	if m == nil {
		return nil, s.Errorf("%q is no declaration; a function reads: wait NAME(ARGUMENTS) = NAME VERSION", s.Lines[0])
	}
	f := &Func{Src: s}
	f.Name = m[2]
	words := strings.Fields(m[1])
	for i, w := range words {
		way, isWay := ways[w]
		switch {
		case w == "internal" && i == 0:
			f.Internal = true
		case w == "hand" && i+1 < len(words) && !f.HandClient:
			f.HandClient = true
		case w == "both" && i > 0 && words[i-1] == "hand":
			f.HandWorker = true
		case isWay && i == len(words)-1:
			f.Way = way
		default:
			return nil, s.Errorf("%s: %q before the name; the order is [internal] [hand [both]] wait|post|here|refuse|later", f.Name, m[1])
		}
	}
	if _, ok := ways[words[len(words)-1]]; !ok {
		return nil, s.Errorf("%s: no way given: wait, post, here, refuse or later", f.Name)
	}
	var err error
	if f.Args, err = parseArgs(s, f.Name, m[3]); err != nil {
		return nil, err
	}
	var tail []string
	if t := strings.TrimSpace(m[4]); t != "" {
		tail = append(tail, t)
	}
	for _, l := range s.Lines[n:] {
		tail = append(tail, strings.TrimSpace(l))
	}
	for _, l := range tail {
		switch {
		case l[0] == '=':
			if f.Lookup != nil {
				return nil, s.Errorf("%s: two lookup names; 'also' names a second symbol", f.Name)
			}
			if f.Lookup, err = parseLookup(s, l); err != nil {
				return nil, err
			}
		case strings.HasPrefix(l, "also "):
			am := alsoRE.FindStringSubmatch(l)
			if am == nil {
				return nil, s.Errorf("%s: %q should read: also SYMBOL = NAME VERSION", f.Name, l)
			}
			sym := Symbol{Name: am[1]}
			sym.Apart, sym.With = am[2] != "", strings.Fields(am[3])
			if len(sym.With) > 0 {
				from, err1 := strconv.ParseUint(am[4], 10, 32)
				to, err2 := strconv.ParseUint(am[5], 10, 32)
				if err1 != nil || err2 != nil {
					return nil, s.Errorf("%s: %q: those are no values", f.Name, l)
				}
				sym.From, sym.To = from, to
			}
			if am[6] != "" {
				if sym.Lookup, err = parseLookup(s, am[6]); err != nil {
					return nil, err
				}
			}
			f.Also = append(f.Also, sym)
		case strings.HasPrefix(l, "via ") && f.Via == "" && isName(l[4:]):
			f.Via = l[4:]
		case l == "answers errors":
			f.OnError = true
		case l == "root only":
			f.Root = true
		case usualRE.MatchString(l):
			m := usualRE.FindStringSubmatch(l)
			if f.Usual == nil {
				f.Usual = map[string]string{}
			}
			f.Usual[m[1]] = m[2]
		case resultRE.MatchString(l) && f.Result == "":
			f.Result = strings.TrimPrefix(l, "returns ")
		case len(l) > 2 && l[0] == '"' && l[len(l)-1] == '"' && strings.Count(l, `"`) == 2 && !strings.Contains(l, `\`):
			if f.Reason != "" {
				return nil, s.Errorf("%s: two reasons", f.Name)
			}
			f.Reason = l[1 : len(l)-1]
		default:
			return nil, s.Errorf("%s: %q is none of '= NAME VERSION', 'also SYMBOL', 'via CALL', 'answers errors', 'root only', 'returns TYPE', 'usual ARGUMENT NUMBER' or a quoted reason", f.Name, l)
		}
	}
	return f, nil
}

func closed(s string) bool {
	return strings.Contains(s, "(") && strings.Count(s, "(") <= strings.Count(s, ")")
}

func parseLookup(s *Statement, text string) (*Lookup, error) {
	m := lookupRE.FindStringSubmatch(text)
	if m == nil {
		return nil, s.Errorf("%q should read: = NAME VERSION [per-thread]", text)
	}
	since, err := strconv.Atoi(m[2])
	if err != nil || since > 1<<30 {
		return nil, s.Errorf("%q: the version is no number", text)
	}
	return &Lookup{Name: m[1], Since: since, PerThread: m[3] != ""}, nil
}

var dirs = map[string]Dir{"in": In, "out": Out, "inout": InOut, "new": New, "del": Del, "str": Str, "opaque": Opaque, "text": Text, "sized": Sized}

func parseArgs(s *Statement, name, text string) ([]*Arg, error) {
	text = strings.Join(strings.Fields(text), " ")
	if text == "void" || text == "" {
		return nil, nil
	}
	var out []*Arg
	for _, one := range splitArgs(text) {
		arg := &Arg{}
		decl := one
		if word, rest, ok := strings.Cut(one, " "); ok {
			if d, known := dirs[word]; known {
				arg.Dir, decl = d, rest
			}
		}
		if arg.Dir == Str && isName(decl) {
			decl = "const char *" + decl // "str name" says it all
		}
		m := argRE.FindStringSubmatch(decl)
		if m == nil {
			return nil, s.Errorf("%s: %q is no argument; they read [in|out|...] TYPE *name[COUNT]", name, one)
		}
		arg.Type, arg.Const = strings.CutPrefix(m[1], "const ")
		arg.Stars = strings.Count(m[2], "*")
		arg.Nullable = m[3] != ""
		arg.Name = m[4]
		arg.Count = strings.TrimSpace(m[5])
		if strings.HasSuffix(decl, "]") && arg.Count == "" {
			return nil, s.Errorf("%s: %q has an empty count", name, one)
		}
		arg.C = m[1] + " " + m[2] + arg.Name
		if arg.Nullable && arg.Stars == 0 {
			return nil, s.Errorf("%s: %q: only a pointer can be left out", name, one)
		}
		for _, o := range out {
			if o.Name == arg.Name {
				return nil, s.Errorf("%s: two arguments are named %s", name, arg.Name)
			}
		}
		out = append(out, arg)
	}
	return out, nil
}

// splitArgs cuts at the commas outside brackets.
func splitArgs(s string) []string {
	var out []string
	depth, start := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, strings.TrimSpace(s[start:i]))
				start = i + 1
			}
		}
	}
	return append(out, strings.TrimSpace(s[start:]))
}
