// SPDX-License-Identifier: Apache-2.0

// Command render takes the results of tests/gpu/measure into the documentation:
// it merges the files it is given into docs/measurements.json, a newer result
// in the place of an older one of the same case and GPU, and writes the part of
// docs/measurements.md that lies between its two marks.
//
//	go run ./tests/gpu/render [FILE...]
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	begin = "<!-- from measurements.json, by go run ./tests/gpu/render: change neither by hand -->"
	end   = "<!-- to here -->"
)

// A row is a figure or the result of a comparison. Figures are medians.
type row struct {
	Case        string   `json:"case"`
	What        string   `json:"what"`
	Unit        string   `json:"unit,omitempty"`
	Native      *float64 `json:"native,omitempty"`
	Axon        *float64 `json:"axon,omitempty"`
	Ratio       *float64 `json:"ratio,omitempty"`
	RatioLow    *float64 `json:"ratio_low,omitempty"`
	RatioHigh   *float64 `json:"ratio_high,omitempty"`
	Goal        string   `json:"goal,omitempty"`
	Runs        int      `json:"runs,omitempty"`
	Result      string   `json:"result,omitempty"` // same, differs, fails, hangs, unsupported, varies, left out
	Detail      string   `json:"detail,omitempty"`
	Tests       []string `json:"tests,omitempty"` // of a test suite: those that pass natively only
	Unsupported []string `json:"unsupported,omitempty"`
	Date        string   `json:"date"`
	GPU         string   `json:"gpu"`
	Driver      string   `json:"driver"`
}

func (r row) isFigure() bool { return r.Native != nil && r.Axon != nil }

// A goal without a unit is for the ratio of axon's figure to the native one,
// one with a unit for their difference.
var goalForm = regexp.MustCompile(`^(<=|>=)([0-9.]+)( \w+)?$`)

// met says whether a figure meets its goal, and whether it has one.
func (r row) met() (met, has bool) {
	m := goalForm.FindStringSubmatch(r.Goal)
	if m == nil || !r.isFigure() {
		return false, false
	}
	limit, err := strconv.ParseFloat(m[2], 64)
	if err != nil {
		return false, false
	}
	var got float64
	switch {
	case m[3] != "":
		got = *r.Axon - *r.Native
	case r.Ratio != nil:
		got = *r.Ratio
	default:
		return false, false
	}
	if m[1] == "<=" {
		return got <= limit, true
	}
	return got >= limit, true
}

// check says what is wrong with a row; the files come from elsewhere.
func (r row) check() error {
	switch {
	case r.Case == "" || r.GPU == "" || r.Date == "":
		return fmt.Errorf("a result without case, GPU or date: %+v", r)
	case r.Goal != "" && !goalForm.MatchString(r.Goal):
		return fmt.Errorf("%s: the goal %q is not one like <=1.05 or <=8 MiB", r.Case, r.Goal)
	case !r.isFigure() && r.Result == "":
		return fmt.Errorf("%s: neither a figure nor a result", r.Case)
	}
	return nil
}

func read(file string) ([]row, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var rows []row
	if err := json.Unmarshal(text, &rows); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for _, r := range rows {
		if err := r.check(); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	return rows, nil
}

// merge puts newer results in the place of older ones of the same case and GPU.
// A case that could not run now does not drive out what it gave before.
func merge(old, newer []row) []row {
	merged := slices.Clone(old)
	for _, r := range newer {
		i := slices.IndexFunc(merged, func(o row) bool { return o.Case == r.Case && o.GPU == r.GPU })
		switch {
		case i < 0:
			merged = append(merged, r)
		case r.Result != "left out":
			merged[i] = r
		}
	}
	return merged
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }

func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;").Replace(s)
}

// render writes the part between the marks.
func render(rows []row) string {
	var b strings.Builder
	var gpus []string
	for _, r := range rows {
		if !slices.Contains(gpus, r.GPU) {
			gpus = append(gpus, r.GPU)
		}
	}
	slices.Sort(gpus)
	if len(gpus) == 0 {
		return "\nNothing has been measured yet.\n\n"
	}
	for _, gpu := range gpus {
		var figures, results []row
		for _, r := range rows {
			if r.GPU != gpu {
				continue
			}
			if r.isFigure() {
				figures = append(figures, r)
			} else {
				results = append(results, r)
			}
		}
		fmt.Fprintf(&b, "\n### %s\n", cell(gpu))
		if len(figures) > 0 {
			b.WriteString("\nMedians of rounds in turn; in brackets the lowest and the highest ratio of a round.\n\n")
			b.WriteString("| | native | axon | axon / native | goal | | rounds, date, driver |\n|---|---|---|---|---|---|---|\n")
			for _, r := range figures {
				b.WriteString(r.figure())
			}
		}
		if len(results) > 0 {
			// What went wrong stands first.
			rank := map[string]int{"same": 1, "varies": 1, "left out": 2}
			slices.SortStableFunc(results, func(x, y row) int {
				return cmp.Or(cmp.Compare(rank[x.Result], rank[y.Result]), cmp.Compare(x.Case, y.Case))
			})
			b.WriteString("\n| case | what | output | | date, driver |\n|---|---|---|---|---|\n")
			for _, r := range results {
				detail := r.Detail
				if len(r.Unsupported) > 0 {
					detail += "; not supported: " + strings.Join(r.Unsupported, ", ")
				}
				fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", cell(r.Case), cell(r.What), cell(r.Result), cell(detail), cell(r.when()))
			}
			for _, r := range results {
				if len(r.Tests) == 0 {
					continue
				}
				fmt.Fprintf(&b, "\nOf %s, these pass natively only:\n\n", cell(r.What))
				for _, t := range r.Tests {
					fmt.Fprintf(&b, "- %s\n", cell(t))
				}
			}
		}
	}
	b.WriteString("\n")
	return b.String()
}

func (r row) when() string {
	if r.Driver == "" {
		return r.Date
	}
	return r.Date + ", " + r.Driver
}

func (r row) figure() string {
	ratio := ""
	if r.Ratio != nil {
		ratio = number(*r.Ratio)
		if r.RatioLow != nil && r.RatioHigh != nil {
			ratio += fmt.Sprintf(" (%s to %s)", number(*r.RatioLow), number(*r.RatioHigh))
		}
	} else {
		ratio = fmt.Sprintf("%s %s more", number(*r.Axon-*r.Native), r.Unit)
	}
	verdict := ""
	if met, has := r.met(); has && met {
		verdict = "met"
	} else if has {
		verdict = "**missed**"
	}
	goal := strings.NewReplacer("<=", "≤ ", ">=", "≥ ").Replace(r.Goal)
	what := r.What
	if r.Detail != "" {
		what += " (" + r.Detail + ")"
	}
	return fmt.Sprintf("| %s | %s %s | %s %s | %s | %s | %s | %d, %s |\n", cell(what), number(*r.Native), cell(r.Unit),
		number(*r.Axon), cell(r.Unit), ratio, goal, verdict, r.Runs, cell(r.when()))
}

// replace puts a new part between the marks of a page, or below it all where
// the page has no marks yet.
func replace(page, part string) (string, error) {
	from, to := strings.Index(page, begin), strings.Index(page, end)
	if from < 0 && to < 0 {
		return strings.TrimRight(page, "\n") + "\n\n## Native and through axon: tests/gpu/measure\n\n" + begin + "\n" + part + end + "\n", nil
	}
	if from < 0 || to < from {
		return "", fmt.Errorf("the page has one mark without the other: %q and %q belong around what is written for you", begin, end)
	}
	return page[:from] + begin + "\n" + part + page[to:], nil
}

func run(docs string, files []string) error {
	list, page := filepath.Join(docs, "measurements.json"), filepath.Join(docs, "measurements.md")
	rows, err := read(list)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	for _, f := range files {
		newer, err := read(f)
		if err != nil {
			return err
		}
		rows = merge(rows, newer)
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if rows == nil {
		rows = []row{}
	}
	if err := e.Encode(rows); err != nil {
		return err
	}
	old, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	out, err := replace(string(old), render(rows))
	if err != nil {
		return fmt.Errorf("%s: %w", page, err)
	}
	if err := os.WriteFile(list, text.Bytes(), 0o644); err != nil {
		return err
	}
	return os.WriteFile(page, []byte(out), 0o644)
}

func main() {
	if err := run("docs", os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "render: %v (run it at the top of the source)\n", err)
		os.Exit(1)
	}
}
