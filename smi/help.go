// SPDX-License-Identifier: Apache-2.0

package smi

import (
	"embed"
	"strings"
)

//go:embed help/*.txt help/*.dtd
var helpFiles embed.FS

// helps are the options that print a text.
var helps = map[string]string{
	"--help":                        "help.txt",
	"--help-query-gpu":              "query-gpu.txt",
	"--help-query-compute-apps":     "query-compute-apps.txt",
	"--help-query-accounted-apps":   "query-accounted-apps.txt",
	"--help-query-retired-pages":    "query-retired-pages.txt",
	"--help-query-remapped-rows":    "query-remapped-rows.txt",
	"--help-query-supported-clocks": "query-supported-clocks.txt",
}

// help is a text with the driver's version in it, where there is one.
func help(name string, env Environment) string {
	b, err := helpFiles.ReadFile("help/" + name)
	if err != nil {
		return ""
	}
	text := string(b)
	if !strings.Contains(text, "@DRIVER@") {
		return text
	}
	return strings.ReplaceAll(text, "@DRIVER@", driverOf(env))
}

// driverOf is the driver's version; without one it is that of whose texts these are.
func driverOf(env Environment) string {
	version := "580.159.04"
	if client, err := env.Dial(); err == nil {
		if v, r := client.SystemGetDriverVersion(); r == Success {
			version = v
		}
		client.Close()
	}
	return version
}
