// SPDX-License-Identifier: Apache-2.0

package show

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"nervlinux.org/axon/fleet"
)

// line of Prometheus' text: a name, labels and a value.
var (
	sampleLine = regexp.MustCompile(`^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (\S+)$`)
	labelPart  = regexp.MustCompile(`([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"`)
)

// parsed is a text's samples by their names; a text that breaks the format's
// rules fails the test.
func parsed(t *testing.T, text string) map[string][]map[string]string {
	t.Helper()
	all := map[string][]map[string]string{}
	seen := map[string]bool{}
	family := ""
	for _, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if rest, ok := strings.CutPrefix(l, "# TYPE "); ok {
			name, kind, _ := strings.Cut(rest, " ")
			if all[name] != nil || kind != "gauge" && kind != "counter" || name != family {
				t.Errorf("%q", l)
			}
			all[name] = []map[string]string{}
			continue
		}
		if rest, ok := strings.CutPrefix(l, "# HELP "); ok {
			family, _, _ = strings.Cut(rest, " ")
			continue
		}
		m := sampleLine.FindStringSubmatch(l)
		if m == nil {
			t.Fatalf("this is no sample: %q", l)
		}
		if m[1] != family || all[m[1]] == nil {
			t.Errorf("a sample outside of its family: %q", l)
		}
		if v, err := strconv.ParseFloat(m[4], 64); err != nil || math.IsNaN(v) {
			t.Errorf("a value that is none: %q", l)
		}
		key, _, _ := strings.Cut(l, "} ")
		if seen[key] {
			t.Errorf("there are two samples like %q", l)
		}
		seen[key] = true
		labels := map[string]string{"": m[4]}
		for _, p := range labelPart.FindAllStringSubmatch(m[3], -1) {
			if _, twice := labels[p[1]]; twice {
				t.Errorf("a label comes twice: %q", l)
			}
			labels[p[1]] = p[2]
		}
		all[m[1]] = append(all[m[1]], labels)
	}
	return all
}

func metricsOf(t *testing.T, m *fleet.Machine) string {
	t.Helper()
	var b bytes.Buffer
	if err := Metrics(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestMetricsAreAsTheyWereAndPrometheusReadsThem(t *testing.T) {
	golden(t, "metrics", []byte(metricsOf(t, watched(t, ordinary()...)[0])))
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Log("there is no promtool: only this test's own parser reads them")
	}
	for _, m := range slices.Concat(watched(t, ordinary()...), watched(t, hostile()...)) {
		text := metricsOf(t, m)
		all := parsed(t, text)
		for name := range all {
			if !slices.Contains(Names(), name) {
				t.Errorf("%s is not in Names", name)
			}
		}
		if m.Last == nil {
			if len(all) != 1 || all["axon_up"][0][""] != "0" {
				t.Errorf("of a machine that does not answer: %s", text)
			}
			continue
		}
		if len(all["axon_session_calls_total"]) != len(m.Last.Sessions) || len(all["axon_gpu_memory_used_bytes"]) != len(m.Last.GPUs) {
			t.Errorf("%d sessions, %d GPUs", len(all["axon_session_calls_total"]), len(all["axon_gpu_memory_used_bytes"]))
		}
		if promtool != "" {
			cmd := exec.Command(promtool, "check", "metrics")
			cmd.Stdin = strings.NewReader(text)
			// It also has opinions about names (status 3), which are dcgm-exporter's.
			if out, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() == 1 {
				t.Errorf("promtool: %s", out)
			}
		}
	}
}

func TestMetricsHaveDcgmExportersNamesAndUnits(t *testing.T) {
	all := parsed(t, metricsOf(t, watched(t, ordinary()...)[0]))
	for name, want := range map[string]string{"DCGM_FI_DEV_GPU_UTIL": "57.6", "DCGM_FI_DEV_FB_TOTAL": "143771", "DCGM_FI_DEV_SM_CLOCK": "1290", "DCGM_FI_DEV_GPU_TEMP": "55",
		"DCGM_FI_DEV_POWER_USAGE": "420.6", "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION": "1.23856e+08"} {
		if len(all[name]) != 2 {
			t.Fatalf("%d of %s", len(all[name]), name)
		}
		g := all[name][0]
		got, _ := strconv.ParseFloat(g[""], 64)
		if wanted, _ := strconv.ParseFloat(want, 64); math.Abs(got-wanted) > 1e-6*wanted {
			t.Errorf("%s is %s, not %s", name, g[""], want)
		}
		if g["gpu"] != "0" || g["device"] != "nvidia0" || g["modelName"] != "NVIDIA H200" || g["Hostname"] != "node01" || !strings.HasPrefix(g["UUID"], "GPU-") || g["pci_bus_id"] != "00000000:18:00.0" {
			t.Errorf("the labels are %v", g)
		}
	}
	// Memory that is the machine's is no frame buffer, and what is unknown is left out.
	shared := parsed(t, metricsOf(t, watched(t, ordinary()...)[1]))
	for _, name := range []string{"DCGM_FI_DEV_FB_USED", "DCGM_FI_DEV_POWER_MGMT_LIMIT", "DCGM_FI_DEV_FAN_SPEED"} {
		if _, ok := shared[name]; ok {
			t.Errorf("there is a %s", name)
		}
	}
	if g := shared["axon_gpu_memory_used_bytes"]; len(g) != 1 || g[0]["kind"] != "machine" {
		t.Errorf("%v", g)
	}
}

func TestTheDashboardAsksForFiguresThatExist(t *testing.T) {
	b, err := os.ReadFile("../../packaging/grafana/axon.json")
	if err != nil {
		t.Fatal(err)
	}
	var dashboard struct {
		Title, UID    string
		SchemaVersion int
		Panels        []struct {
			ID      int
			Title   string
			GridPos struct{ X, Y, W, H int }
			Targets []struct{ Expr string }
		}
		Templating struct{ List []struct{ Query any } }
	}
	if err := json.Unmarshal(b, &dashboard); err != nil {
		t.Fatal(err)
	}
	metrics := parsed(t, metricsOf(t, watched(t, ordinary()...)[0]))
	name := regexp.MustCompile(`\b(axon_[a-z0-9_]+|DCGM_[A-Z0-9_]+)\b`)
	label := regexp.MustCompile(`{{(\w+)}}|(\w+)[=!]~`)
	ids, asked := map[int]bool{}, 0
	for _, p := range dashboard.Panels {
		if ids[p.ID] || p.Title == "" || p.GridPos.X+p.GridPos.W > 24 || len(p.Targets) == 0 {
			t.Errorf("panel %+v", p)
		}
		ids[p.ID] = true
		for _, target := range p.Targets {
			found := name.FindAllString(target.Expr, -1)
			if len(found) == 0 || strings.Count(target.Expr, "(") != strings.Count(target.Expr, ")") || strings.Count(target.Expr, "{") != strings.Count(target.Expr, "}") {
				t.Errorf("%s asks for %q", p.Title, target.Expr)
			}
			for _, n := range found {
				asked++
				if len(metrics[n]) == 0 {
					t.Errorf("%s asks for %s, which there is not", p.Title, n)
					continue
				}
				for _, l := range label.FindAllStringSubmatch(target.Expr, -1) {
					if _, ok := metrics[n][0][l[1]+l[2]]; !ok {
						t.Errorf("%s asks for the label %s of %s", p.Title, l[1]+l[2], n)
					}
				}
			}
		}
	}
	if dashboard.Title == "" || dashboard.UID == "" || dashboard.SchemaVersion < 30 || asked < 15 {
		t.Errorf("%q, %q, version %d, %d figures", dashboard.Title, dashboard.UID, dashboard.SchemaVersion, asked)
	}
	for _, v := range dashboard.Templating.List {
		if q, ok := v.Query.(string); !ok || q != "prometheus" && len(metrics[name.FindString(q)]) == 0 {
			t.Errorf("a variable asks for %v", v.Query)
		}
	}
}
