import { describe, expect, test } from 'vitest';
import { read } from './reading.js';

describe('a file that holds code under a name of its own', () => {
  test.each<[string, Record<string, string>]>([
    ['an executable by its first line', { 'bin/cli': "#!/usr/bin/env node\nrequire('a')" }],
    ['an executable for another runtime', { 'bin/cli': "#!/usr/bin/env -S npx tsx\nimport 'a'" }],
    [
      'what the start script names',
      { 'package.json': '{"scripts":{"start":"node ./bin/www"}}', 'bin/www': "require('a')" },
    ],
    ['a page', { 'index.html': '<script type="module">\nimport { b } from "a"; b()\n</script>' }],
    ['a page in the older way', { 'index.html': '<script>require("a").b()</script>' }],
    ['what a page imports', { 'index.html': '<script type="module">import "./x.js"</script>', 'x.js': "import 'a'" }],
    [
      'a template with marks',
      { 'views/x.ejs': '<% if (x) { %><script>\nlet y = <%= y %>;\nrequire("a")\n</script><% } %>' },
    ],
    ['a template of Pug', { 'views/x.pug': 'div\n  script(type="module").\n    import b from "a"\n    b()\n  p' }],
    ['a template of Rails', { 'x.html.erb': '<script type="module">\nimport "a"\n</script>' }],
    ['a template of Laravel', { 'x.blade.php': '<script type="module">\nimport "a"\n</script>' }],
    ['CoffeeScript', { 'package.json': '{"main":"x.coffee"}', 'x.coffee': "# a comment\nb = require 'a'\nb.c 1" }],
    ['CoffeeScript that a module loads', { 'index.js': "require('./x')", 'x.coffee': "b = require 'a'" }],
    ['LiveScript', { 'package.json': '{"main":"x.ls"}', 'x.ls': "require! 'a'" }],
    ['Civet', { 'package.json': '{"main":"x.civet"}', 'x.civet': 'import { b } from "a"\nb |> c' }],
    ['Marko', { 'package.json': '{"main":"x.marko"}', 'x.marko': 'import b from "a"\n<div>${b()}</div>' }],
    ['.cts', { 'index.cts': "import a = require('a'); a.b()" }],
    ['JSX in .js', { 'index.js': "import A from 'a'; export default () => <A b={1}>x</A>" }],
    [
      'the script that a component names',
      { 'index.js': "import './x.vue'", 'x.vue': '<script src="./x.js"></script>', 'x.js': "import 'a'" },
    ],
  ])('%s', async (_, files) => {
    const found = await read(files, ['a', 'b']);
    expect(found.reached).toEqual(['a']);
  });

  const site = { 'package.json': '{"dependencies":{"@docusaurus/core":"3"}}' };

  test.each([
    ["import A from 'a'\n\n# Title\n\n<A />", true],
    ["# Title\n\nText.\n\nimport {\n  B,\n} from 'a';\n\n<B />", true],
    ["---\ntitle: x\n---\nexport { b } from 'a'", true],
    ["# Title\n\n<img src={require('a/b.png').default} />", true],
    ["```js\nimport A from 'a'\n```", false],
    ["~~~\n```\nimport A from 'a'\n~~~", false],
    ["Text with `import A from 'a'` in it", false],
    ['import the package and do not forget it', false],
  ])('Markdown with JSX: %j', async (source, isUsed) => {
    const found = await read({ ...site, 'docs/x.mdx': source }, ['a']);
    expect(found.reached).toEqual(isUsed ? ['a'] : []);
    expect((await read({ ...site, 'docs/x.md': source }, ['a'])).reached).toEqual(isUsed ? ['a'] : []);
    expect((await read({ 'README.md': source }, ['a'])).uses).toEqual([]);
  });

  test.each<[string, Record<string, string>]>([
    ['a shell script', { 'bin/x': "#!/bin/sh\n# require('a')\necho import" }],
    ['a text', { LICENSE: 'import "a"', 'docs/notes': 'You may import "a" from here, and (so' }],
    ['data of a page', { 'x.html': '<script type="application/json">{"x": "require(\'a\')"}</script>' }],
    ['a template of source', { 'x.ts.ejs': '<script>import "a"</script>' }],
  ])('%s is none', async (_, files) => {
    const found = await read(files, ['a']);
    expect(found.uses).toEqual([]);
    expect(found).toMatchObject({ files: 0, searched: 0, entryFiles: [] });
  });
});
