import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { expect, test } from 'vitest';
import { root } from './support/build.js';

/** The type assertions in a module, but `as const`, as lines. */
function assertionsIn(name: string, text: string): string[] {
  const found: string[] = [];
  const note = ({ start }: { start: number }) => found.push(`${name}:${text.slice(0, start).split('\n').length}`);
  const { program, errors } = parseSync(name, text);
  expect(errors).toEqual([]);
  new Visitor({
    TSAsExpression(node) {
      const { typeAnnotation: type } = node;
      const isConst =
        type.type === 'TSTypeReference' && type.typeName.type === 'Identifier' && type.typeName.name === 'const';
      if (!isConst) note(node);
    },
    TSTypeAssertion: note,
    TSNonNullExpression: note,
    TSAnyKeyword: note,
  }).visit(program);
  return found;
}

test('no type is asserted but in the one bridge that CONTRIBUTING.md names', () => {
  const folder = path.join(root, 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  const found = files.flatMap((name) => assertionsIn(name, readFileSync(path.join(folder, name), 'utf8')));
  expect(found.filter((place) => !place.startsWith('gateway/trpc/trpc.ts:'))).toEqual([]);
  expect(found).not.toEqual([]);
});

test.each(['let a = b as C;', 'let a = b!;', 'let a: any;', 'let a = <C>b;', 'let a = [b as unknown as C];'])(
  'this test sees %s',
  (text) => {
    expect(assertionsIn('a.ts', text)).toContain('a.ts:1');
  },
);
