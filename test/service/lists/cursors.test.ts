import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Procedure } from '../../../src/procedures/define.js';
import { procedures } from '../../../src/procedures/index.js';
import { toRequest } from '../../../src/shared/http/request-parts.js';
import { unwrap } from '../../../src/shared/schema/unwrap.js';
import { caseOf, credentialOf } from '../../conformance/cases.js';
import { makeWorld, storeIntelligence, type World } from '../../conformance/world.js';
import { startService, type TestService } from '../../support/service.js';
import { everyRequest } from '../../support/upstream.js';
import { addCopies, type CopiedIds, copies, removeCopies } from './copied-rows.js';

let service: TestService;
let world: World;
beforeAll(async () => {
  service = await startService();
  world = await makeWorld(service, await storeIntelligence(service));
});
afterAll(() => service.close());

const lists = everyRequest.filter(([, { input }]) => 'cursors' in input.shape);

test('each list has rows that come and go in this test', () => {
  expect(Object.keys(copies).sort()).toEqual(lists.map(([path]) => path).sort());
});

const page = z.looseObject({
  items: z.array(z.looseObject({ id: z.string().optional(), item_id: z.string().optional() })),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
  as_of: z.iso.datetime(),
});

/** A question to a list, without paging. */
interface Asked {
  readonly path: string;
  readonly procedure: Procedure;
  readonly filters: Readonly<Record<string, unknown>>;
}

async function answer({ path, procedure, filters }: Asked, paging: Readonly<Record<string, unknown>>) {
  const { path: route, query } = toRequest(procedure, { ...filters, ...paging });
  const url = `${route}?${new URLSearchParams(Object.fromEntries(query))}`;
  return service.call(credentialOf(caseOf(path).as, world), 'GET', url);
}

async function pageAt(asked: Asked, paging: Readonly<Record<string, unknown>>) {
  const { status, body } = await answer(asked, paging);
  expect([asked.path, status, status === 200 ? '' : body]).toEqual([asked.path, 200, '']);
  const { items, ...rest } = page.parse(body);
  return { ...rest, ids: items.map(({ id, item_id }) => id ?? item_id ?? '') };
}

/** All ids, by pages with numbers. */
async function idsNow(asked: Asked): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 1; ; number += 1) {
    const { ids: more, has_more } = await pageAt(asked, { page: number, page_size: 100 });
    ids.push(...more);
    if (!has_more) return ids;
  }
}

/** Any of the filters that take one of a few values, or a time. */
function filtersOf({ input }: Procedure): fc.Arbitrary<Record<string, unknown>> {
  const shape: Readonly<Record<string, unknown>> = input.shape;
  const fields = Object.keys(shape).map((name) => {
    const values = name === 'cursors' ? [] : valuesOf(name, unwrap(shape[name]));
    return [name, fc.constantFrom(undefined, undefined, undefined, ...values)] as const;
  });
  return fc.record(Object.fromEntries(fields));
}

function valuesOf(name: string, schema: unknown): readonly unknown[] {
  if (schema instanceof z.ZodEnum) return schema.options;
  if (schema instanceof z.ZodBoolean) return [true, false];
  return /since$/.test(name) ? ['2025-12-31', '2026-02-02T02:02:02.123Z', '2026-02-03'] : [];
}

const turns = fc.array(fc.constantFrom('add', 'remove', 'nothing'), { maxLength: 40 });

async function add(path: string): Promise<CopiedIds> {
  return addCopies(service.database, world.organisation.id, copies[path]?.(world, `row-${randomUUID()}`) ?? []);
}

const take = <T>(list: T[]): T | undefined => list.splice(Math.floor(Math.random() * list.length), 1)[0];

test('the time of an answer lies before a landing that is open, and is the same on all pages', async () => {
  const begun_at = new Date(Date.now() - 3_600_000);
  const asked = { path: 'projects.list', procedure: procedures.projects.list, filters: {} };
  const set = { organisation_id: world.organisation.id, project_id: world.projectId };
  const timesOf = async () => {
    const first = await pageAt(asked, { page_size: 1 });
    const next = await pageAt(asked, { page_size: 1, cursor: first.next_cursor });
    expect(next.as_of).toBe(first.as_of);
    return Date.parse(first.as_of);
  };
  await add('projects.list');
  const usual = await timesOf();
  expect(usual).toBeGreaterThan(begun_at.getTime());
  const { id } = await service.database.system((tx) =>
    tx
      .insertInto('change_sets')
      .values({ ...set, state: 'waiting', lease_until: new Date(Date.now() + 60_000), upload_id: null, begun_at })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  expect(await timesOf()).toBeLessThan(begun_at.getTime());
  await service.database.system((tx) => tx.deleteFrom('change_sets').where('id', '=', id).execute());
  expect(await timesOf()).toBeGreaterThanOrEqual(usual);
});

describe.each(lists)('%s', (path, procedure) => {
  test('a loop over cursors sees each row once that is there throughout, whatever comes and goes meanwhile', async () => {
    const copied: CopiedIds[] = [];
    for (let made = 0; made < 12; made += 1) copied.push(await add(path));
    expect((await idsNow({ path, procedure, filters: caseBase(path) })).length).toBeGreaterThan(4);
    await fc.assert(
      fc.asyncProperty(
        filtersOf(procedure),
        fc.integer({ min: 1, max: 7 }),
        turns,
        async (drawn, page_size, changes) => {
          const given = Object.entries(drawn).filter(([, value]) => value !== undefined);
          const filters = { ...caseBase(path), ...Object.fromEntries(given) };
          const asked = { path, procedure, filters };
          const before = await idsNow(asked);
          const seen: string[] = [];
          const gone = new Set<string>();
          let cursor: string | null = null;
          do {
            const paging: Record<string, unknown> = cursor === null ? { page_size } : { page_size, cursor };
            const { ids, next_cursor, has_more } = await pageAt(asked, paging);
            expect(has_more).toBe(next_cursor !== null);
            seen.push(...ids);
            cursor = next_cursor;
            const change = changes.pop() ?? 'nothing';
            if (change === 'add') copied.push(await add(path));
            const removed = change === 'remove' ? take(copied) : undefined;
            if (removed !== undefined) {
              for (const { id } of removed) gone.add(id);
              await removeCopies(service.database, world.organisation.id, removed);
            }
          } while (cursor !== null);
          const stayed = before.filter((id) => !gone.has(id));
          expect(seen.length).toBe(new Set(seen).size);
          expect(stayed.filter((id) => !seen.includes(id))).toEqual([]);
          const after = new Set([...before, ...(await idsNow(asked)), ...gone]);
          expect(seen.filter((id) => !after.has(id))).toEqual([]);
        },
      ),
      { numRuns: 12 },
    );
  });

  test('the cursor of other filters, of another list, or of nobody is refused', async () => {
    for (let made = 0; made < 3; made += 1) await add(path);
    const asked = { path, procedure, filters: caseBase(path) };
    const { next_cursor } = await pageAt(asked, { page_size: 1 });
    const since = { ...asked, filters: { ...asked.filters, since: '2020-01-01' } };
    const other = await pageAt(
      { path: 'groups.list', procedure: procedures.groups.list, filters: {} },
      { page_size: 1 },
    );
    const refusals = [
      [since, next_cursor, 'cursor_of_another_list'],
      ...(path === 'groups.list' ? [] : [[asked, other.next_cursor, 'cursor_of_another_list'] as const]),
      [asked, 'made-up', 'not_a_cursor'],
      [asked, forged(next_cursor, () => []), 'not_a_cursor'],
      [asked, forged(next_cursor, (keys) => keys.map(() => '\u0000 none')), 'not_a_cursor'],
    ] as const;
    for (const [list, cursor, reason] of refusals) {
      const { status, body } = await answer(list, { cursor });
      expect([status, body]).toEqual([
        422,
        expect.objectContaining({ errors: [expect.objectContaining({ field: 'cursor', reason })] }),
      ]);
    }
  });
});

/** Keeps the input that names the thing which a list is about. */
function caseBase(path: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(caseOf(path).input(world)).filter(([name]) => /_id$|^cve$/.test(name)));
}

/** The same cursor with other keys. */
function forged(cursor: string | null, change: (keys: string[]) => string[]): string {
  const [question, asOf, seen, ...keys] = JSON.parse(Buffer.from(cursor ?? '', 'base64url').toString());
  return Buffer.from(JSON.stringify([question, asOf, seen, ...change(keys)])).toString('base64url');
}
