// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"bytes"
	"fmt"
	"io"
)

// The XML's definition, which documents name, or have in them (--dtd).

// dtdName is the definition's name; 575 has the twelfth still.
func dtdName(of, driver string) string {
	version := 13
	if driverMajor(driver) < 580 {
		version = 12
	}
	return fmt.Sprintf("nvsmi_%s_v%d.dtd", of, version)
}

// definition is the text; empty where it was not seen: of drivers other than 580.
func definition(of, driver string) string {
	if driverMajor(driver) != 580 {
		return ""
	}
	b, _ := helpFiles.ReadFile("help/" + of + "-v13.dtd")
	return string(b)
}

// of is what the document is of.
func (c *command) of() string {
	if c.unit {
		return "unit"
	}
	return "device"
}

// undefined is why a definition that is asked for cannot be given; nil if it can.
func (c *command) undefined(driver string) error {
	if !c.dtd || definition(c.of(), driver) != "" {
		return nil
	}
	return usage(fmt.Sprintf("--dtd of driver %s %s Documents name the definition as %s.", driver, notAxons, dtdName(c.of(), driver)))
}

// define prints the definition alone.
func (c *command) define(env Environment) int {
	driver := driverOf(env)
	if err := c.undefined(driver); err != nil {
		fmt.Fprintf(env.Out, "%s\n", err)
		return int(NotSupported)
	}
	io.WriteString(env.Out, definition(c.of(), driver))
	return 0
}

// startXML begins a document whose definition is of devices or of units, and is named or in it.
func startXML(w *bytes.Buffer, m *Machine, of string, inside bool) {
	w.WriteString("<?xml version=\"1.0\" ?>\n<!DOCTYPE nvidia_smi_log ")
	if inside {
		fmt.Fprintf(w, "[\n%s]>\n", definition(of, str(m.Driver)))
		return
	}
	fmt.Fprintf(w, "SYSTEM \"%s\">\n", dtdName(of, str(m.Driver)))
}
