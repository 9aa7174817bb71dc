import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageArchive } from '../../src/gateway/download/package-archive.js';
import { root } from '../support/build.js';

// More compilers and more programs are in published-types.outside.ts (`npm run test:clients`).

let folder: string;
let installed: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'postern-client-types-'));
  installed = path.join(folder, 'node_modules/@posternhq/postern');
  await mkdir(installed, { recursive: true });
  // Of all that npm would install beside it, the types may need this alone.
  await link('@trpc/client', '@trpc/server');
  await writeFile(path.join(folder, 'postern.tgz'), (await packageArchive(root)).bytes);
  await promisify(execFile)('tar', ['-xzf', 'postern.tgz', '--strip-components=1', '-C', installed], { cwd: folder });
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  await cp(path.join(import.meta.dirname, 'published/plain/frontend.ts'), path.join(folder, 'frontend.ts'));
});
/** Puts packages beside ours. */
async function link(...names: readonly string[]): Promise<void> {
  for (const name of names) {
    const place = path.join(folder, 'node_modules', name);
    await mkdir(path.dirname(place), { recursive: true });
    await symlink(path.join(root, 'node_modules', name), place);
  }
}

afterAll(() => rm(folder, { recursive: true, force: true }));

const tsc = (...args: string[]) =>
  promisify(execFile)(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), ...args], {
    cwd: folder,
  }).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );

const strict = [
  ...['--ignoreConfig', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'],
  ...['--types', '', '--target', 'es2023', '--lib', 'esnext,dom,dom.iterable'],
];

describe('the types of the client', () => {
  test('are one file of the package, and of others they need tRPC’s alone', async () => {
    const files = await readdir(installed, { recursive: true });
    expect(files.filter((name) => name.endsWith('.d.ts'))).toEqual(['dist/client.d.ts']);
    const text = await readFile(path.join(installed, 'dist/client.d.ts'), 'utf8');
    const modules = [...text.matchAll(/(?:from|import\() ?['"]([^'"]+)/g)].map(([, module]) => module);
    expect(modules.sort()).toEqual(['@trpc/client', '@trpc/server']);
    expect(text).not.toMatch(/\b(?:NodeJS|Buffer)\b|reference types/);
  });

  test('have the words of the definitions, as comments that editors show', async () => {
    const text = await readFile(path.join(installed, 'dist/client.d.ts'), 'utf8');
    expect(text).toContain(`    /**
     * List alerts. Alerts on vulnerable packages, the most urgent (EffectivePriority) first, resolved last. get_alert explains one.
     * tool \`list_alerts\`, \`GET /api/projects/{project_id}/alerts\`
     */
    list: TRPCQueryProcedure<{ input: AlertsListInput | void; output: AlertsListOutput; meta: unknown }>;
`);
    const input = /export type AlertsListInput = \{[\s\S]*?\n\};/.exec(text)?.[0];
    expect(input).toContain('  /** Part of its name */\n  package?: string | undefined;\n');
    expect(input).toContain('  /** 1 to 100, default 25 */\n  page_size?: number | undefined;\n');
    expect(text).toContain('  /** Installed versions that are affected */\n  versions: string[];\n');
  });

  test.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])('are good for a strict frontend that checks its libraries too (%s, %s)', async (module, moduleResolution) => {
    const errors = await tsc(
      ...[
        ...strict,
        '--skipLibCheck',
        'false',
        '--noEmit',
        '--module',
        module,
        '--moduleResolution',
        moduleResolution,
        'frontend.ts',
      ],
    );
    expect(errors).toBe('');
  });

  test('take each example of the guide for frontends, as it is pasted', async () => {
    const guide = await readFile(path.join(root, 'docs/frontends.md'), 'utf8');
    const examples = [...guide.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = '']) => text);
    expect(examples.length).toBeGreaterThan(1);
    const names = examples.map((_, at) => `example-${at}.ts`);
    for (const [at, name] of names.entries()) await writeFile(path.join(folder, name), examples[at] ?? '');
    // What a frontend has beside it is not ours to check.
    await link('@tanstack/react-query', '@trpc/tanstack-react-query');
    const errors = await tsc(...[...strict, '--skipLibCheck'], '--noEmit', '--module', 'nodenext', ...names);
    expect(errors).toBe('');
  });

  test('can be named in the declarations of another library', async () => {
    const errors = await tsc(
      ...[
        ...strict,
        '--skipLibCheck',
        'false',
        '--module',
        'nodenext',
        '--declaration',
        '--emitDeclarationOnly',
        'frontend.ts',
      ],
    );
    expect(errors).toBe('');
    expect(await readFile(path.join(folder, 'frontend.d.ts'), 'utf8')).toContain('AlertsListOutput');
  });
});
