import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { root } from '../support/build.js';
import { startPostern, type TestPostern } from '../support/postern.js';

const folder = path.join(import.meta.dirname, 'openapi');
const program = z.object({
  run: z.custom<(url: string, key: string) => Promise<unknown>>((value) => typeof value === 'function'),
});

const node = (...args: string[]) =>
  promisify(execFile)(process.execPath, args, { cwd: folder }).then(
    () => '',
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}`,
  );

let postern: TestPostern;
beforeAll(async () => {
  postern = await startPostern();
  const document = path.join(folder, 'node_modules/.openapi.json');
  await writeFile(document, await (await fetch(`${postern.url}/openapi.json`)).text());
  const generator = path.join(folder, 'node_modules/openapi-typescript/bin/cli.js');
  // By default it takes a field with a default for one that each request has.
  const options = ['--default-non-nullable=false', '--output', path.join(folder, 'schema.d.ts')];
  expect(await node(generator, document, ...options)).toBe('');
});
afterAll(() => postern.close());

test('a client made of the document type-checks, its types included', async () => {
  expect(await node(path.join(root, 'node_modules/typescript/bin/tsc'), '--project', folder)).toBe('');
});

test('and calls ten routes', async () => {
  const { writeKey } = await postern.newOrganisation();
  const { run } = program.parse(await import(path.join(folder, 'program.ts')));
  expect(await run(postern.url, writeKey)).toEqual({
    health: 'ok',
    caller: 'ReadWrite',
    created: 'internet',
    renamed: [2, 'made by a generated client'],
    synced: 1,
    stack: [0, 1],
    uploaded: 200,
    alerts: [0, undefined],
    missing: ['not_found', 'project'],
    deleted: true,
  });
});
