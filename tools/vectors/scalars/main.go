// Command scalars writes what apimachinery makes of quantities, selectors, names, times and numbers, as JSON that the tests of
// packages/core read. Its output depends on nothing but its own inputs and the version of apimachinery in go.mod.
//
//	go run ./scalars [DIRECTORY]
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	directory := filepath.Join("..", "..", "packages", "core", "testdata")
	if len(os.Args) > 1 {
		directory = os.Args[1]
	}
	must(os.MkdirAll(directory, 0o755))
	write(directory, "quantity", quantities())
	write(directory, "quantity-pairs", quantityPairs())
	write(directory, "label-selector", labelSelectors())
	write(directory, "label-selector-object", labelSelectorObjects())
	write(directory, "field-selector", fieldSelectors())
	write(directory, "names", names())
	write(directory, "int-or-string", intOrStrings())
	write(directory, "duration", durations())
	write(directory, "time", times())
	write(directory, "json", jsonValues())
	write(directory, "field-error", fieldErrors())
	write(directory, "api-error", apiErrors())
}

// write puts one vector on each line, so that a change of one shows as one line.
func write[T any](directory, name string, vectors []T) {
	var out bytes.Buffer
	out.WriteString("[\n")
	for i, vector := range vectors {
		line, err := encode(vector)
		must(err)
		out.WriteString("  ")
		out.Write(line)
		if i < len(vectors)-1 {
			out.WriteString(",")
		}
		out.WriteString("\n")
	}
	out.WriteString("]\n")
	must(os.WriteFile(filepath.Join(directory, name+".json"), out.Bytes(), 0o644))
	fmt.Printf("%s: %d\n", name, len(vectors))
}

func encode(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSpace(out.Bytes()), err
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
