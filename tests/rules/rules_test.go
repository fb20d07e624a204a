// SPDX-License-Identifier: Apache-2.0

// Package rules holds what this repository asks of every file in it, as tests
// that name the file and the reason.
package rules

import (
	"bufio"
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const root = "../.."

// files lists the repository's files: what git knows, or in an unpacked
// archive everything but the build's outputs.
func files(t *testing.T) []string {
	t.Helper()
	var all []string
	if out, err := exec.Command("git", "-C", root, "ls-files", "-z").Output(); err == nil && len(out) > 0 {
		for _, f := range strings.Split(strings.TrimRight(string(out), "\x00"), "\x00") {
			if _, err := os.Stat(filepath.Join(root, f)); err == nil { // not one that is being removed
				all = append(all, f)
			}
		}
		return all
	}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, p)
		switch {
		case d.IsDir() && rel != "." && (rel == "build" || strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case d.Type().IsRegular():
			all = append(all, filepath.ToSlash(rel))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// isData says whether a file is an input of tests or a captured output, whose
// bytes are what they are.
func isData(file string) bool {
	for _, part := range strings.Split(path.Dir(file), "/") {
		if part == "testdata" || part == "seeds" || part == "corpus" || part == "captures" {
			return true
		}
	}
	return false
}

// source says whether a file is one that people write programs in.
func source(file string, text []byte) bool {
	switch path.Ext(file) {
	case ".go", ".c", ".h", ".S", ".api", ".sh", ".py", ".nix", ".yml", ".yaml", ".mk", ".cu", ".1", ".5", ".7", ".8", ".service", ".socket", ".slice":
		return true
	}
	return path.Base(file) == "Makefile" || bytes.HasPrefix(text, []byte("#!"))
}

func TestEveryFileSaysItsLicence(t *testing.T) {
	n := 0
	for _, f := range files(t) {
		text := read(t, f)
		if isData(f) || !source(f, text) {
			continue
		}
		n++
		head := text[:min(len(text), 400)]
		lines := bytes.SplitN(head, []byte("\n"), 4)
		if !bytes.Contains(bytes.Join(lines[:min(3, len(lines))], []byte("\n")), []byte("SPDX-License-Identifier: Apache-2.0")) {
			t.Errorf("%s: its first lines lack SPDX-License-Identifier: Apache-2.0", f)
		}
	}
	if n < 20 {
		t.Errorf("only %d sources were found", n)
	}
}

func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	docs := map[string]string{}
	for _, f := range files(t) {
		if path.Ext(f) != ".go" || isData(f) {
			continue
		}
		dir := path.Dir(f)
		parsed, err := parser.ParseFile(token.NewFileSet(), f, read(t, f), parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		docs[dir] += parsed.Doc.Text()
	}
	if len(docs) < 4 {
		t.Errorf("only %d packages were found", len(docs))
	}
	for dir, doc := range docs {
		if len(doc) < 40 {
			t.Errorf("%s: no file has a comment above its package clause that says what the package is for", dir)
		}
	}
}

// forbiddenImports are packages that once looked like the right ones. The value
// is why they are not.
var forbiddenImports = map[string]string{
	"C":                                      "axond and axon are static programs: what needs C is a program of its own (shims/worker)",
	"plugin":                                 "it needs cgo and a dynamic program",
	"charm.land/lipgloss/v2":                 "when a program with it starts it asks the terminal's settings, and tmux for its own by running it: in every axon run; x/ansi has styles",
	"io/ioutil":                              "only other names for functions of io and os",
	"log":                                    "has no levels, so the journal gets no priorities; use log/slog",
	"github.com/containerd/cgroups/v3":       "it is for both versions of control groups; cgroup2 is enough",
	"github.com/hugelgupf/p9/fsimpl/localfs": "its locks are exclusive and blocking even for readers, and it loses chmod, chown and times",
	"github.com/jacobsa/fuse":                "it knows neither locks nor passthrough",
	"unsafe":                                 "", // see allowedUnsafe
}

// allowedUnsafe are the files that may import unsafe, and why.
var allowedUnsafe = map[string]string{
	"daemon/identity.go": "SO_PEERGROUPS has no function in x/sys",
	"wire/":              "the region's words are reached by atomics in mapped memory",
}

// forbiddenVersions are versions of modules that have hurt.
var forbiddenVersions = map[string]string{
	"github.com/godbus/dbus/v5 v5.2.3": "an argument of the type ah from any local caller ends the process",
	"github.com/godbus/dbus/v5 v5.2.4": "an argument of the type ah from any local caller ends the process",
}

// modules are the modules that may be required, with their licences. One that
// is added here has a licence that goes with Apache-2.0, and a need.
var modules = map[string]string{
	"charm.land/bubbletea/v2":          "MIT",
	"github.com/BurntSushi/toml":       "MIT",
	"github.com/charmbracelet/x/ansi":  "MIT",
	"github.com/containerd/cgroups/v3": "Apache-2.0",
	"github.com/godbus/dbus/v5":        "BSD-2-Clause",

	// What cgroups/v3 brings along.
	"github.com/cilium/ebpf":                 "MIT",
	"github.com/containerd/log":              "Apache-2.0",
	"github.com/opencontainers/runtime-spec": "Apache-2.0",
	"github.com/sirupsen/logrus":             "MIT",
	"golang.org/x/exp":                       "BSD-3-Clause",
	"google.golang.org/protobuf":             "BSD-3-Clause",

	"github.com/coreos/go-systemd/v22":                 "Apache-2.0",
	"github.com/google/renameio/v2":                    "Apache-2.0",
	"github.com/jessevdk/go-flags":                     "BSD-3-Clause",
	"go.yaml.in/yaml/v3":                               "MIT and Apache-2.0",
	"golang.org/x/sys":                                 "BSD-3-Clause",
	"tags.cncf.io/container-device-interface":          "Apache-2.0", // in tests only, but for the next
	"tags.cncf.io/container-device-interface/specs-go": "Apache-2.0",

	// What bubbletea brings along.
	"github.com/aymanbagabas/go-udiff":      "MIT and BSD-3-Clause", // in its tests
	"github.com/charmbracelet/colorprofile": "MIT",
	"github.com/charmbracelet/ultraviolet":  "MIT",
	"github.com/charmbracelet/x/exp/golden": "MIT", // in its tests
	"github.com/charmbracelet/x/term":       "MIT",
	"github.com/charmbracelet/x/termios":    "MIT",
	"github.com/charmbracelet/x/windows":    "MIT",
	"github.com/clipperhouse/displaywidth":  "MIT",
	"github.com/clipperhouse/uax29/v2":      "MIT",
	"github.com/lucasb-eyer/go-colorful":    "MIT",
	"github.com/mattn/go-runewidth":         "MIT",
	"github.com/muesli/cancelreader":        "MIT",
	"github.com/rivo/uniseg":                "MIT",
	"github.com/xo/terminfo":                "MIT",
	"golang.org/x/sync":                     "BSD-3-Clause",

	// What container-device-interface's tests of a specification bring along.
	"github.com/fsnotify/fsnotify": "BSD-3-Clause",
}

func TestForbiddenImportsAreNotImported(t *testing.T) {
	for _, f := range files(t) {
		if path.Ext(f) != ".go" || isData(f) {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), f, read(t, f), parser.ImportsOnly)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		for _, spec := range imports(parsed) {
			why, forbidden := forbiddenImports[spec]
			if spec == "unsafe" {
				forbidden, why = !mayBeUnsafe(f), "it breaks what Go promises; say in allowedUnsafe why this file needs it"
			}
			if spec == "log" && strings.HasPrefix(f, "tests/") {
				forbidden = false
			}
			if forbidden {
				t.Errorf("%s imports %s: %s", f, spec, why)
			}
		}
	}
}

// forbiddenCalls are functions that did not do what they say.
var forbiddenCalls = map[string]string{
	"cgroup2.NewSystemd": "it puts the unit in system.slice, whatever slice it is given",
	"prop.Export":        "godbus's table of objects is walked without a lock when one is introspected, so a caller can end the process; see daemon/bus",
}

func TestForbiddenFunctionsAreNotCalled(t *testing.T) {
	n := 0
	for _, f := range files(t) {
		if path.Ext(f) != ".go" || isData(f) || strings.HasPrefix(f, "tests/rules/") {
			continue
		}
		n++
		text := read(t, f)
		for call, why := range forbiddenCalls {
			if bytes.Contains(text, []byte(call+"(")) {
				t.Errorf("%s calls %s: %s", f, call, why)
			}
		}
	}
	if n < 10 {
		t.Errorf("only %d files were looked at", n)
	}
}

func imports(f *ast.File) []string {
	var all []string
	for _, spec := range f.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err == nil {
			all = append(all, p)
		}
	}
	return all
}

func mayBeUnsafe(file string) bool {
	for allowed := range allowedUnsafe {
		if file == allowed || strings.HasSuffix(allowed, "/") && strings.HasPrefix(file, allowed) {
			return true
		}
	}
	return false
}

func TestModulesAreKnownAndNotOfABadVersion(t *testing.T) {
	requirement := regexp.MustCompile(`(?m)^(?:require)?\s*(\S+\.\S+/\S+) (v\S+)`)
	found := requirement.FindAllStringSubmatch(string(read(t, "go.mod")), -1)
	if len(found) < 3 {
		t.Errorf("only %d requirements were found in go.mod", len(found))
	}
	for _, m := range found {
		if _, ok := modules[m[1]]; !ok {
			t.Errorf("go.mod requires %s: if it is needed, put it in modules with its licence", m[1])
		}
		if why, bad := forbiddenVersions[m[1]+" "+m[2]]; bad {
			t.Errorf("go.mod requires %s %s: %s", m[1], m[2], why)
		}
	}
}

// TestTheDaemonStaysSmall: axond runs as root and reads what anybody sends.
func TestTheDaemonStaysSmall(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", "./cmd/axond", "./cmd/axon")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("go list: %v", err)
	}
	deps := strings.Fields(string(out))
	if !slices.Contains(deps, "nervlinux.org/axon/daemon") {
		t.Fatalf("go list lists %d packages without axond's own", len(deps))
	}
	for dep, why := range map[string]string{
		"net/http":    "a web server or client is not axond's business, and brings TLS and a resolver along",
		"runtime/cgo": "axond and axon are static programs",
		"testing":     "tests' tools are not for a program",
	} {
		if slices.Contains(deps, dep) {
			t.Errorf("axond or axon depends on %s: %s", dep, why)
		}
	}
}

// forbiddenText is what no file may say, in two halves so that this one does
// not. The third string is why.
var forbiddenText = [][3]string{
	{"/wo", "rk/", "is a path of one machine"},
	{"/tmp/", "facts", "is a path of one machine"},
	{"/tmp/", "briefs", "is a path of one machine"},
	{"proxy.", "golang.org", "is a registry's host: which one is used is up to who builds"},
	{"pypi", ".org", "is a registry's host: which one is used is up to who builds"},
	{"files.python", "hosted.org", "is a registry's host: which one is used is up to who builds"},
	{"registry.", "npmjs.org", "is a registry's host: which one is used is up to who builds"},
	{"deb.", "debian.org", "is a registry's host: which one is used is up to who builds"},
	{"archive.", "ubuntu.com", "is a registry's host: which one is used is up to who builds"},
}

func TestNoFileSpeaksOfOneMachine(t *testing.T) {
	for _, f := range files(t) {
		text := read(t, f)
		if isData(f) || bytes.IndexByte(text, 0) >= 0 {
			continue
		}
		for _, x := range forbiddenText {
			if i := bytes.Index(text, []byte(x[0]+x[1])); i >= 0 {
				t.Errorf("%s:%d: %q %s", f, 1+bytes.Count(text[:i], []byte("\n")), x[0]+x[1], x[2])
			}
		}
	}
}

// kept are files that are generated and checked in all the same, because Go
// programs are built without a generator. A test in shims/gen says when they
// are out of date.
var kept = map[string]bool{"nvml/api_types.go": true, "nvml/api_table.go": true, "nvml/api_calls.go": true}

func TestNoFileIsADrawerNorABook(t *testing.T) {
	const most = 1200 // lines
	drawer := regexp.MustCompile(`^(utils?|common|helpers?|misc|stuff)\b`)
	generated := regexp.MustCompile(`(?m)^(//|/\*|#) (Code generated |Generated (by|from) )`)
	for _, f := range files(t) {
		text := read(t, f)
		if drawer.MatchString(path.Base(f)) || drawer.MatchString(path.Base(path.Dir(f))) {
			t.Errorf("%s: name it after what it does", f)
		}
		if isData(f) || !source(f, text) || kept[f] {
			continue
		}
		// A description is a list of the vendor's names, as long as the vendor's is.
		if n := bytes.Count(text, []byte("\n")); n > most && path.Ext(f) != ".api" {
			t.Errorf("%s: %d lines are more than a reader can hold, %d; split it by job", f, n, most)
		}
		if f != "tests/rules/rules_test.go" && generated.Match(text[:min(len(text), 200)]) {
			t.Errorf("%s: what is generated belongs in the build folder", f)
		}
	}
}

func TestManualsHaveNoMistakes(t *testing.T) {
	programs := t.TempDir()
	build := exec.Command("go", "build", "-buildvcs=false", "-o", programs, "./cmd/axon", "./cmd/axond")
	build.Dir, build.Env = root, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v, %s", err, out)
	}
	checked := ""
	for page, command := range map[string][]string{
		"axon.1":       {"axon", "help", "--manual"},
		"axond.8":      {"axond", "--manual", "axond.8"},
		"axond.toml.5": {"axond", "--manual", "axond.toml.5"},
	} {
		cmd := exec.Command(filepath.Join(programs, command[0]), command[1:]...)
		cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH=1767225600")
		text, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", page, err)
		}
		s := bufio.NewScanner(bytes.NewReader(text))
		for line := 1; s.Scan(); line++ {
			if strings.ContainsFunc(s.Text(), func(r rune) bool { return r > 126 }) {
				t.Errorf("%s:%d: a letter that not every groff prints", page, line)
			}
		}
		file := filepath.Join(programs, page)
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
		for _, check := range [][]string{{"groff", "-man", "-Tascii", "-ww", "-z"}, {"mandoc", "-T", "lint"}} {
			if _, err := exec.LookPath(check[0]); err != nil {
				continue
			}
			checked += " " + check[0]
			if out, err := exec.Command(check[0], append(check[1:], file)...).CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("%s, %s: %v, %s", page, check[0], err, out)
			}
		}
	}
	if checked == "" {
		t.Log("without groff and mandoc only the letters were checked")
	}
}

// TestTheReadmesCommandsExist: what a reader types first must be there.
func TestTheReadmesCommandsExist(t *testing.T) {
	readme, makefile := string(read(t, "README.md")), string(read(t, "Makefile"))+string(read(t, "packaging/packaging.mk"))
	typed := regexp.MustCompile(`(?m)^    make ([a-z-]+)`).FindAllStringSubmatch(readme, -1)
	var targets []string
	for _, m := range typed {
		targets = append(targets, m[1])
		if !regexp.MustCompile(`(?m)^` + m[1] + `:`).MatchString(makefile) {
			t.Errorf("README.md says make %s, which the Makefile does not know", m[1])
		}
	}
	for _, want := range []string{"demo", "test"} {
		if !slices.Contains(targets, want) {
			t.Errorf("README.md does not say make %s on a line of its own", want)
		}
	}
	scripts := regexp.MustCompile(`(?m)^\t[@+-]*(scripts/[a-z-]+)`).FindAllStringSubmatch(makefile, -1)
	if len(scripts) < 3 {
		t.Errorf("only %d scripts were found in the Makefile", len(scripts))
	}
	for _, m := range scripts {
		if st, err := os.Stat(filepath.Join(root, m[1])); err != nil || st.Mode()&0o111 == 0 {
			t.Errorf("the Makefile runs %s, which is no program: %v", m[1], err)
		}
	}
}
