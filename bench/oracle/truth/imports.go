// Prints the import paths of Go files as a JSON object {path: place}, by the standard library's own parser. Reads file paths
// from standard input, one a line; files that only a build with the tag "ignore" or "tools" compiles are left out.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
)

func main() {
	found := map[string]string{}
	scanner := bufio.NewScanner(os.Stdin)
	for scanner.Scan() {
		path := scanner.Text()
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.ImportsOnly|parser.ParseComments)
		if err != nil || file == nil {
			continue
		}
		excluded := false
		for _, group := range file.Comments {
			for _, comment := range group.List {
				if comment.Pos() > file.Package || !constraint.IsGoBuild(comment.Text) {
					continue
				}
				expression, err := constraint.Parse(comment.Text)
				if err == nil && !expression.Eval(func(tag string) bool { return tag != "ignore" && !strings.HasPrefix(tag, "tool") && tag != "mage" }) {
					excluded = !strings.Contains(comment.Text, "!")
				}
			}
		}
		for _, each := range file.Imports {
			name, _ := strconv.Unquote(each.Path.Value)
			if _, known := found[name]; !known && !excluded {
				found[name] = fmt.Sprintf("%s:%d", path, files.Position(each.Pos()).Line)
			}
		}
	}
	json.NewEncoder(os.Stdout).Encode(found)
}
