// SPDX-License-Identifier: Apache-2.0

package terminal

import (
	"fmt"
	"html"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// A cell of the picture, in pixels.
const (
	cellWidth  = 8
	cellHeight = 17
	baseline   = 13
	margin     = 12
)

// colours are a terminal's first eight, on a dark background.
var colours = [8]string{"#45475a", "#f38ba8", "#a6e3a1", "#f9e2af", "#89b4fa", "#f5c2e7", "#94e2d5", "#cdd6f4"}

const ground, ink = "#1e1e2e", "#cdd6f4"

// look is how letters look.
type look struct {
	colour                int // -1 is the terminal's own
	bold, faint, reversed bool
}

// after is the look after a sequence that sets it (SGR).
func (l look) after(parameters string) look {
	for _, p := range strings.Split(parameters, ";") {
		switch n, err := strconv.Atoi(p); {
		case p == "" || err == nil && n == 0:
			l = look{colour: -1}
		case n == 1:
			l.bold = true
		case n == 2:
			l.faint = true
		case n == 7:
			l.reversed = true
		case n == 22:
			l.bold, l.faint = false, false
		case n == 27:
			l.reversed = false
		case n >= 30 && n <= 37:
			l.colour = n - 30
		case n >= 90 && n <= 97:
			l.colour = n - 90
		case n == 39:
			l.colour = -1
		}
	}
	return l
}

// SVG is a picture of a screen with its escape sequences, as Escapes returns
// it. Bars are drawn, not written: a font's need not meet.
func SVG(screen string, columns int) string {
	lines := strings.Split(strings.TrimRight(screen, "\n"), "\n")
	width, height := columns*cellWidth+2*margin, len(lines)*cellHeight+2*margin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace" font-size="13.29">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", ground)
	now := look{colour: -1}
	for i, l := range lines {
		x, y := 0, margin+i*cellHeight
		var run strings.Builder
		from := 0
		write := func() {
			text := run.String()
			run.Reset()
			if text == "" {
				return
			}
			fill, weight, opacity := ink, "", ""
			if now.colour >= 0 {
				fill = colours[now.colour]
			}
			if now.reversed {
				fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`+"\n", margin+from*cellWidth, y, (x-from)*cellWidth, cellHeight, fill)
				fill = ground
			}
			if now.bold {
				weight = ` font-weight="bold"`
			}
			if now.faint {
				opacity = ` opacity="0.6"`
			}
			bars := false
			for j, r := range []rune(text) {
				if r >= '▁' && r <= '█' {
					bars = true
					h := float64(r-'▁'+1) / 8 * cellHeight
					fmt.Fprintf(&b, `<rect x="%d" y="%.2f" width="%d" height="%.2f" fill="%s"%s/>`+"\n", margin+(from+j)*cellWidth, float64(y+cellHeight)-h, cellWidth, h, fill, opacity)
				}
			}
			// Bars are runs of their own colour: what is left of such a run is letters and spaces.
			if bars {
				text = strings.Map(func(r rune) rune {
					if r >= '▁' && r <= '█' {
						return ' '
					}
					return r
				}, text)
			}
			if trimmed := strings.TrimLeft(text, " "); strings.TrimSpace(trimmed) != "" {
				at := from + len(text) - len(trimmed)
				trimmed = strings.TrimRight(trimmed, " ")
				fmt.Fprintf(&b, `<text x="%d" y="%d" textLength="%d" fill="%s"%s%s xml:space="preserve">%s</text>`+"\n", margin+at*cellWidth, y+baseline, ansi.StringWidth(trimmed)*cellWidth, fill, weight, opacity, html.EscapeString(trimmed))
			}
		}
		for l != "" {
			if rest, ok := strings.CutPrefix(l, "\x1b["); ok {
				if parameters, after, ok := strings.Cut(rest, "m"); ok {
					write()
					from, now, l = x, now.after(parameters), after
					continue
				}
			}
			r := []rune(l)[0]
			run.WriteRune(r)
			x += ansi.StringWidth(string(r))
			l = l[len(string(r)):]
		}
		write()
	}
	b.WriteString("</svg>\n")
	return b.String()
}
