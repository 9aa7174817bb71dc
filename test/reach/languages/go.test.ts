import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { parseGo } from '../../../src/reach/languages/go/imports.js';
import { goReader } from '../../../src/reach/languages/go/reader.js';
import { dataFile, hasData } from '../../support/data.js';
import { analyze as analyzeWith, places, symbols } from './analyzing.js';

const analyze = (packages: readonly string[], files: Readonly<Record<string, string>>) =>
  analyzeWith(goReader, 'Go', packages, files);

test('imports of every form, each with its module', async () => {
  const found = await analyze(['golang.org/x/net', 'golang.org/x/net/v2', 'gopkg.in/yaml.v3', 'github.com/lib/pq'], {
    'a.go': [
      '// import "golang.org/x/net/comment"',
      'package a',
      'import "fmt"; import h "golang.org/x/net/html"',
      'import (',
      '\t"net/http" // import "golang.org/x/net/b"',
      '\t/* "golang.org/x/net/c" */',
      '\t_ "github.com/lib/pq"; . `gopkg.in/yaml.v3`',
      '',
      '\t"golang.org/x/net/v2/idna"',
      '\t"example.com/missing"',
      ')',
      'const s = `',
      'import "golang.org/x/net/d"`',
    ].join('\n'),
  });
  expect(places(found)).toEqual([
    'golang.org/x/net a.go:3:24 prod',
    'github.com/lib/pq a.go:7:4 prod',
    'gopkg.in/yaml.v3 a.go:7:27 prod',
    'golang.org/x/net/v2 a.go:9:2 prod',
  ]);
  expect(found.uses.map(({ site }) => site.subpath)).toEqual(['html', null, null, 'idna']);
  expect(found).toMatchObject({ files: 1, parseErrors: 0, unresolved: 1 });
});

test('symbols are selectors on the package, and methods of names whose type the file tells', async () => {
  const found = await analyze(['github.com/miekg/dns', 'gopkg.in/yaml.v3', 'github.com/nats-io/nats.go'], {
    'a.go': `package a
import (
	"github.com/miekg/dns"
	y "gopkg.in/yaml.v3"
	"github.com/nats-io/nats.go"
)
type holder struct { server *dns.Server }
func f(m dns.Msg) {
	s := &dns.Server{Addr: ":53"}
	s.ListenAndServe()
	m.SetReply(nil)
	y.Unmarshal(nil, nil) // y.Marshal
	other.dns.Nothing("dns.Text")
	nats.Connect(nats.
		DefaultURL)
	dns.private()
}
`,
  });
  expect(symbols(found, 'github.com/miekg/dns')).toEqual([
    'github.com/miekg/dns.Msg',
    'github.com/miekg/dns.Msg.SetReply',
    'github.com/miekg/dns.Server',
    'github.com/miekg/dns.Server.ListenAndServe',
  ]);
  expect(symbols(found, 'gopkg.in/yaml.v3')).toEqual(['gopkg.in/yaml.v3.Unmarshal']);
  expect(symbols(found, 'github.com/nats-io/nats.go')).toEqual([
    'github.com/nats-io/nats.go.Connect',
    'github.com/nats-io/nats.go.DefaultURL',
  ]);
});

test('production reaches what package main imports; tests are tests', async () => {
  const files = {
    'go.mod': 'module example.com/app\n',
    'cmd/app/main.go': 'package main\nimport "example.com/app/internal/api"\nfunc main() {}\n',
    'internal/api/api.go': 'package api\nimport "github.com/a/one"\n',
    'internal/api/more.go': 'package api\nimport "github.com/a/two"\n',
    'internal/api/api_test.go': 'package api\nimport "github.com/a/three"\n',
    'internal/dead/dead.go': 'package dead\nimport "github.com/a/one"\n',
  };
  const found = await analyze(['github.com/a/one', 'github.com/a/two', 'github.com/a/three'], files);
  expect(places(found)).toEqual([
    'github.com/a/one internal/api/api.go:2:8 prod reached',
    'github.com/a/three internal/api/api_test.go:2:8 test',
    'github.com/a/two internal/api/more.go:2:8 prod reached',
    'github.com/a/one internal/dead/dead.go:2:8 prod',
  ]);
  expect(found.entries).toEqual([{ file: 'cmd/app/main.go', why: 'package main' }]);
});

const record = z.object({
  affected: z.array(
    z.object({
      ecosystem_specific: z
        .object({
          imports: z.array(z.object({ path: z.string(), symbols: z.array(z.string()).default([]) })).default([]),
        })
        .optional(),
    }),
  ),
});

test.skipIf(!hasData)('every exported symbol of the Go vulnerability database is found under its name', () => {
  let checked = 0;
  for (const line of readFileSync(dataFile('osv/go-vulndb.ndjson'), 'utf8').trim().split('\n')) {
    for (const { ecosystem_specific: specific } of record.parse(JSON.parse(line)).affected) {
      for (const { path, symbols } of specific?.imports ?? []) {
        const exported = symbols.filter((symbol) => symbol.split('.').every((part) => /^[A-Z]\w*$/.test(part)));
        const calls = exported.map((symbol, index) => {
          const [first = '', method] = symbol.split('.');
          return method === undefined ? `p.${first}()` : `v${index} := p.${first}{}\nv${index}.${method}()`;
        });
        const text = `package a\nimport p "${path}"\nfunc f() {\n${calls.join('\n')}\n}\n`;
        const found = parseGo(text).references[0]?.symbols ?? [];
        expect(found).toEqual(expect.arrayContaining(exported.map((symbol) => `${path}.${symbol}`)));
        checked += exported.length;
      }
    }
  }
  expect(checked).toBeGreaterThan(2000);
});

describe('hostile text', () => {
  const deep = 100_000;
  test.each([
    ['a raw string without end', 'package a\nvar x = `\nimport "github.com/a/one"', 1],
    ['no Go at all', '\u{1F600}'.repeat(deep), 1],
    ['groups without end', `package a\n${'import (\n'.repeat(deep)}`, 0],
    ['groups and one end', `package a\n${'import (\n'.repeat(deep)})`, 0],
    ['blanks', `package a\nx${' '.repeat(1_000_000)}y`, 0],
    [
      'one import many times',
      `package a\n${'import p "github.com/a/one"\n'.repeat(20_000)}${'p.X()\n'.repeat(20_000)}`,
      0,
    ],
  ])('%s', async (_, text, parseErrors) => {
    expect(await analyze(['github.com/a/one'], { 'a.go': text })).toMatchObject({ files: 1, parseErrors });
  });
});

describe('tools, and code that hides modules', () => {
  const main = 'package main\nfunc main() {}\n';

  test.each([
    ['a list of tools', '//go:build tools\n\npackage main\nimport _ "github.com/a/b"'],
    ['an older list of tools', '// +build tools\n\npackage main\nimport _ "github.com/a/b"'],
    [
      'a generator beside the code',
      '// Code.\n//go:build ignore\n\npackage main\nimport "github.com/a/b"\nfunc main() {}',
    ],
    ['a command that generates code', 'package main\n//go:generate go run -mod=mod github.com/a/b/cmd/x@latest ./...'],
  ])('%s is tooling', async (_, text) => {
    const found = await analyze(['github.com/a/b'], { 'main.go': main, 'other.go': text });
    expect(found.uses.map(({ site }) => site.role)).toEqual(['script']);
  });

  test.each([
    ['a constraint of a platform', '//go:build linux && !tools_x\n\npackage main\nimport "github.com/a/b"'],
    ['a driver', 'package main\nimport _ "github.com/a/b"'],
    ['words in a comment of the code', 'package main\nimport "github.com/a/b"\n//go:build tools\n'],
  ])('%s is production', async (_, text) => {
    const found = await analyze(['github.com/a/b'], { 'main.go': main, 'other.go': text });
    expect(found.uses.map(({ site }) => `${site.role} ${site.reached}`)).toEqual(['prod true']);
  });

  test('generated code that is not there, and plugins, hide any module', async () => {
    const found = await analyze(['github.com/a/b'], {
      'go.mod': 'module example.org/app',
      'main.go': 'package main\nimport (\n"plugin"\n"example.org/app/gen/api"\n)\nfunc main() {\nplugin.Open(name)\n}',
      'b_test.go': 'package main\nimport "example.org/app/gen/mocks"',
    });
    expect(found.gaps.map(({ kind, line, hides }) => `${kind} ${line} ${hides}`)).toEqual([
      'unknown_dynamic 7 any',
      'unresolved_import 4 any',
    ]);
  });
});
