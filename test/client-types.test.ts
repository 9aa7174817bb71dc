import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { oneDeclarationFile } from '../scripts/client-types/one-declaration-file.js';
import { procedureTypes } from '../scripts/client-types/procedure-types.js';
import { defineQuery } from '../src/procedures/define.js';

describe('types of procedures, written out', () => {
  const typesOf = (output: z.ZodObject, input: z.ZodObject = z.strictObject({})) =>
    procedureTypes({
      shop: { get: defineQuery({ http: 'GET /api/shop', title: 'Get', description: 'One.', input, output }) },
    });

  test('keep what is null, absent, a list of alternatives and a name that needs quotes', () => {
    const output = z.object({
      'bom-ref': z.string(),
      kinds: z.array(z.enum(['a', "it's"])),
      either: z.array(z.union([z.object({ kind: z.literal('x') }), z.object({ kind: z.literal(1) })])),
      may: z.number().nullable().optional(),
    });
    expect(typesOf(output)).toContain(`export type ShopGetOutput = {
  'bom-ref': string;
  kinds: ('a' | 'it\\'s')[];
  either: ({
    kind: 'x';
  } | {
    kind: 1;
  })[];
  may?: number | null | undefined;
};`);
  });

  test('name once what answers have at several places', () => {
    const place = z.object({ line: z.int().describe('from 1') });
    const types = typesOf(z.object({ begin: place, end: place.nullable() }));
    expect(types).toContain('export type ShopGetOutputBegin = {\n  /** From 1 */\n  line: number;\n};');
    expect(types).toContain('  begin: ShopGetOutputBegin;\n  end: ShopGetOutputBegin | null;');
  });

  test('say the bounds and the default of an input, which may be left out where nothing is required', () => {
    const input = z.strictObject({ size: z.int().min(1).max(9).default(2).describe('rows') });
    const types = typesOf(z.object({}), input);
    expect(types).toContain('  /** Rows; 1 to 9, default 2 */\n  size?: number | undefined;');
    expect(types).toContain('input: ShopGetInput | void;');
  });

  test('cannot have their comment ended by a description', () => {
    expect(typesOf(z.object({ path: z.string().describe('as src/*/x') }))).toContain('/** As src/*\\/x */');
  });

  test('are refused for a schema whose TypeScript is not known', () => {
    expect(() => typesOf(z.object({ at: z.bigint() }))).toThrow(
      'no TypeScript is known of a schema of the type bigint',
    );
  });
});

describe('declarations in one file', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'postern-declarations-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const join = async (files: Readonly<Record<string, string>>, written: ReadonlyMap<string, string> = new Map()) => {
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
    return oneDeclarationFile(path.join(folder, 'index.ts'), written);
  };

  test('export what the module does, keep what that needs, and leave out the rest', async () => {
    const joined = await join({
      'index.ts': "export { send } from './send.js';\n",
      'send.ts': `import type { Far } from 'far';
import type { Near } from 'near';
interface Letter { readonly to: string }
/** Sends it. */
export function send(letter: Letter, far: Far): void { letter; far; }
export function helper(near: Near): void { near; }
`,
    });
    expect(joined).toBe(`import type { Far } from 'far';

interface Letter {
  readonly to: string;
}

/** Sends it. */
export declare function send(letter: Letter, far: Far): void;

export {};
`);
  });

  test('take written ones in the place of a module', async () => {
    const written = new Map([[path.join(folder, 'inferred.ts'), 'export type Shape = 1;\n']]);
    const joined = await join(
      { 'index.ts': "import type { Shape } from './inferred.js';\nexport type A = Shape;\n" },
      written,
    );
    expect(joined).toContain('export type Shape = 1;');
  });

  test('are refused where two modules have a type of one name', async () => {
    const files = { 'index.ts': "export { a } from './a.js';\ninterface Own {}\nexport type B = Own;\n" };
    const a = 'interface Own { readonly x: 1 }\nexport function a(own: Own): void { own; }\n';
    await expect(join({ ...files, 'a.ts': a })).rejects.toThrow('another type of the name Own');
  });

  test('are refused where a module leaves a type to be inferred', async () => {
    await expect(join({ 'index.ts': 'export function now() { return Date.now() + 1; }\n' })).rejects.toThrow(
      /index\.ts: /,
    );
  });

  test('are refused where a written one is no TypeScript', async () => {
    const written = new Map([[path.join(folder, 'inferred.ts'), 'export type = 1;\n']]);
    const index = "import type { Shape } from './inferred.js';\nexport type A = Shape;\n";
    await expect(join({ 'index.ts': index }, written)).rejects.toThrow(/inferred\.ts: /);
  });
});
