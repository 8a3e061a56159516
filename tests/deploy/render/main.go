// Renders a chart as Helm's engine does: Go's text/template with Sprig, and the functions that Helm adds. It is not Helm:
// no schema, no subcharts, no cluster. `render CHART VALUES` reads values as JSON, already merged, and prints documents.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	yaml "gopkg.in/yaml.v3"
)

type files struct{ root string }

func (f files) Get(name string) string {
	content, err := os.ReadFile(filepath.Join(f.root, name))
	if err != nil {
		return ""
	}
	return string(content)
}

func main() {
	chart, given := os.Args[1], os.Args[2]
	var values, meta map[string]any
	check(json.Unmarshal([]byte(given), &values))
	content, err := os.ReadFile(filepath.Join(chart, "Chart.yaml"))
	check(err)
	check(yaml.Unmarshal(content, &meta))
	root := map[string]any{
		"Values":  values,
		"Chart":   map[string]any{"Name": meta["name"], "Version": meta["version"], "AppVersion": meta["appVersion"]},
		"Release": map[string]any{"Name": "test", "Namespace": "arena", "IsInstall": true},
		"Files":   files{chart},
	}
	templates := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	delete(functions, "env")
	delete(functions, "expandenv")
	functions["include"] = func(name string, data any) (string, error) {
		var out bytes.Buffer
		err := templates.ExecuteTemplate(&out, name, data)
		return out.String(), err
	}
	functions["toYaml"] = func(value any) string {
		var out bytes.Buffer
		encoder := yaml.NewEncoder(&out)
		encoder.SetIndent(2)
		check(encoder.Encode(value))
		return strings.TrimSuffix(out.String(), "\n")
	}
	functions["fail"] = func(text string) (string, error) { return "", errors.New(text) }
	functions["required"] = func(text string, value any) (any, error) {
		if value == nil || value == "" {
			return value, errors.New(text)
		}
		return value, nil
	}
	templates.Funcs(functions)
	names, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	check(err)
	sort.Strings(names)
	for _, name := range names {
		content, err := os.ReadFile(name)
		check(err)
		_, err = templates.New(filepath.Base(name)).Parse(string(content))
		check(err)
	}
	for _, name := range names {
		base := filepath.Base(name)
		if strings.HasPrefix(base, "_") {
			continue
		}
		var out bytes.Buffer
		check(templates.ExecuteTemplate(&out, base, root))
		text := strings.ReplaceAll(out.String(), "<no value>", "")
		if strings.HasSuffix(base, ".yaml") {
			fmt.Printf("---\n# %s\n%s\n", base, text)
		}
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
