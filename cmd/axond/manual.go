// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"reflect"

	"nervlinux.org/axon/daemon"
	"nervlinux.org/axon/docs/man"
)

// manual writes the page axond.8, axond.toml.5 or axon-smi.1, whose program has the options of NVIDIA's and no more.
func manual(out io.Writer, page string) error {
	p := parser(&options{})
	if page == "axond.8" {
		return man.Page{Name: "axond", Section: 8, Kind: "System Administration", Short: p.ShortDescription, Parser: p}.Write(out)
	}
	if page == "axon-smi.1" {
		return man.Page{Name: "axon-smi", Section: 1, Kind: "User Commands", Short: "nvidia-smi that asks axond"}.Write(out)
	}
	described := map[string]string{} // an option and the key of its name are the same thing
	for _, g := range p.Groups() {
		for _, o := range g.Options() {
			described[o.LongName] = o.Description
		}
	}
	keys, err := keysOf(reflect.TypeFor[daemon.Settings](), described)
	if err != nil {
		return err
	}
	limits, err := keysOf(reflect.TypeFor[daemon.Limits](), nil)
	if err != nil {
		return err
	}
	return man.Page{Name: "axond.toml", Section: 5, Kind: "File Formats", Short: "settings of axond",
		Keys: map[string][]man.Key{"{keys}": keys, "{limits}": limits}}.Write(out)
}

// keysOf are those of a table of axond.toml, by the tags of its fields. Fields
// that are tables themselves are left out.
func keysOf(table reflect.Type, described map[string]string) ([]man.Key, error) {
	var all []man.Key
	for i := range table.NumField() {
		f := table.Field(i)
		if f.Type.Kind() == reflect.Struct || f.Type.Kind() == reflect.Map {
			continue
		}
		k := man.Key{Name: f.Tag.Get("toml"), Example: f.Tag.Get("example"), Doc: f.Tag.Get("doc")}
		if k.Doc == "" {
			k.Doc = described[k.Name]
		}
		if k.Name == "" || k.Example == "" || k.Doc == "" {
			return nil, fmt.Errorf("%s.%s has no name, no example or nothing that describes it", table, f.Name)
		}
		if f.Tag.Get("at") == "start" {
			k.Doc += ". At the start"
		}
		all = append(all, k)
	}
	return all, nil
}
