import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { positionsIn } from '../../../src/reach/languages/positions.js';
import { importsIn } from '../../../src/reach/languages/python/import-statements.js';
import { maskPython } from '../../../src/reach/languages/python/mask.js';

/** Prints, for each file of the interpreter's own library that CPython parses, its imports as `line module names`. */
const script = `
import ast, io, json, os, sys, sysconfig, tokenize, warnings
warnings.simplefilter('ignore')
root = sysconfig.get_path('stdlib')
count = 0
for folder, folders, files in os.walk(root):
    folders.sort()
    for name in sorted(files):
        if not name.endswith('.py') or count >= 3000:
            continue
        path = os.path.join(folder, name)
        try:
            with open(path, 'rb') as file:
                content = file.read()
            text = content.decode('utf-8')
            tree = ast.parse(content)
        except (SyntaxError, ValueError, RecursionError):
            continue
        found = []
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                found += ['%d %s' % (each.lineno, each.name) for each in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = ','.join(each.name for each in node.names)
                found.append('%d %s%s %s' % (node.lineno, '.' * node.level, node.module or '', names))
        count += 1
        print(json.dumps([path, sorted(found)]))
`;

const found = spawnSync('python3', ['-I', '-c', script], { encoding: 'utf8', maxBuffer: 1024 * 1024 * 1024 });
const hasPython = found.status === 0;
if (!hasPython) console.log('Skipped: python3 is not installed, so that there is nothing to compare with.');

test.skipIf(!hasPython)('imports are those that CPython itself finds in its library', () => {
  const line = z.tuple([z.string(), z.array(z.string())]);
  let imports = 0;
  let milliseconds = 0;
  const files = found.stdout
    .trim()
    .split('\n')
    .map((text) => line.parse(JSON.parse(text)));
  for (const [path, expected] of files) {
    const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
    const start = performance.now();
    const masked = maskPython(text);
    const placeOf = positionsIn(text);
    const ours = importsIn(masked.code).imports.map(({ module, names, offset }) => {
      const place = `${placeOf(offset).line} ${module}`;
      return names === null ? place : `${place} ${names.map(({ name }) => name).join(',')}`;
    });
    milliseconds += performance.now() - start;
    expect({ path, isBroken: masked.isBroken, imports: ours.sort() }).toEqual({
      path,
      isBroken: false,
      imports: [...expected].sort(),
    });
    imports += expected.length;
  }
  console.log(
    `${files.length} files, ${imports} imports: all agree with CPython's ast; ${Math.round(milliseconds)} ms`,
  );
  expect(files.length).toBeGreaterThanOrEqual(500);
});
