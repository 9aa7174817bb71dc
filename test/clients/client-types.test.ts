import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../support/build.js';

/** In the checkout, so that the packages of the types are found; each run has one of its own. */
const folder = path.join(root, `node_modules/.cache/postern-client-types-${process.pid}`);

const tsc = (...args: string[]) =>
  promisify(execFile)(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), ...args]).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );

beforeAll(async () => {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(path.join(folder, 'frontend.ts'), frontend);
  expect(await tsc('--project', path.join(root, 'tsconfig.build.json'), '--outDir', path.join(folder, 'types'))).toBe(
    '',
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What another team writes. */
const frontend = `
import { createPosternClient, isPosternError, nextCursor, type RouterOutputs, signIn, uploadReport } from './types/client/index.js';

let token: string | undefined;
const client = createPosternClient({ credential: () => token, onUnauthenticated: (error) => void error.data.requestId });
type Alerts = RouterOutputs['alerts']['list'];

export async function run(file: File): Promise<Date | undefined> {
  const { expires_at } = await signIn({ email: 'ada@example.com', password: 'p' });
  const page: Alerts = await client.alerts.list.query({ project_id: 'p', tier: 'RED', cursor: 2 });
  const next: number | undefined = nextCursor(page);
  await client.organisation.getAuditLog.query({ since: expires_at });
  const { answer, job } = await uploadReport('sast.uploadReport', { project_id: 'p', source_repo: 'r' }, file);
  const received: Date | undefined = job?.received_at;
  try {
    await client.session.get.query();
  } catch (error) {
    if (isPosternError(error) && error.data.failure === 'rate_limited') return new Date(error.data.retryAfterSeconds ?? 0);
  }
  void [next, answer?.receipt, received];
  return page.items[0]?.first_seen_at;
}
`;

describe('the types of the client', () => {
  test('need no types of Node or of the server’s packages', async () => {
    const types = path.join(folder, 'types');
    const names = (await readdir(types, { recursive: true })).filter((name) => name.endsWith('.d.ts'));
    const packages = new Set<string>();
    for (const name of names) {
      const text = await readFile(path.join(types, name), 'utf8');
      expect(text, name).not.toMatch(/\b(?:NodeJS|Buffer)\b|reference types/);
      for (const [, named, imported = named ?? ''] of text.matchAll(/from '([^.'][^']*)'|import\("([^."][^"]*)"\)/g))
        packages.add(imported.replace(/^(@[^/]+\/[^/]+|[^@/][^/]*)\/.*$/, '$1'));
    }
    expect([...packages].sort()).toEqual(['@trpc/client', '@trpc/server', 'zod']);
    expect(names.filter((name) => /^(?:service|bin|reach)/.test(name))).toEqual([]);
  });

  test.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])('are good for a strict frontend that checks its libraries too (%s, %s)', async (module, moduleResolution) => {
    const errors = await tsc(
      ...['--ignoreConfig', '--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'],
      ...['--skipLibCheck', 'false', '--types', '', '--target', 'es2023', '--lib', 'esnext,dom,dom.iterable'],
      ...['--module', module, '--moduleResolution', moduleResolution, path.join(folder, 'frontend.ts')],
    );
    expect(errors).toBe('');
  });
});
