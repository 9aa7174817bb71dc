import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { techStack } from '../../../src/procedures/tech-stack.js';
import { startService, type TestService } from '../../support/service.js';
import { advisory, storeAdvisory, unique } from './advisories.js';
import { newStack } from './stack.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** Advisories over three packages with whole-numbered versions; two share a CVE. */
const known = (() => {
  const [a, b, c] = [unique.packageName(), unique.packageName(), unique.packageName()];
  const cve = unique.cve();
  const make = (name: string, introduced: number, fixed: number, cves: string[] = []) => ({
    name,
    introduced,
    fixed,
    id: unique.advisoryId(),
    cves,
  });
  return [
    make(a, 1, 3),
    make(a, 2, 5),
    make(a, 4, 5, [cve]),
    make(b, 0, 2, [cve]),
    make(b, 3, 4, [cve]),
    make(c, 9, 10),
  ];
})();
const names = [...new Set(known.map(({ name }) => name))];

type Stack = Awaited<ReturnType<typeof newStack>>;
type Step =
  | {
      readonly kind: 'sync';
      readonly source: string;
      readonly packages: readonly { readonly name: string; readonly major: number }[];
    }
  | { readonly kind: 'add'; readonly name: string; readonly major: number }
  | { readonly kind: 'update' | 'remove'; readonly place: number; readonly major: number };

const name = fc.constantFrom(...names);
const major = fc.integer({ min: 0, max: 5 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('sync' as const),
    source: fc.constantFrom('one', 'two'),
    packages: fc.array(fc.record({ name, major }), { maxLength: 4 }),
  }),
  fc.record({ kind: fc.constant('add' as const), name, major }),
  fc.record({ kind: fc.constantFrom('update' as const, 'remove' as const), place: fc.nat(5), major }),
);

async function items({ key, projectId }: Stack) {
  const { body } = await service.call(key, 'GET', `/api/projects/${projectId}/tech-stack?page_size=100`);
  return techStack.list.output.parse(body).items;
}

async function take(stack: Stack, given: Step): Promise<number> {
  const path = `/api/projects/${stack.projectId}/tech-stack`;
  if (given.kind === 'sync') {
    const packages = given.packages.map((each) => ({ purl: `pkg:npm/${each.name}@${each.major}.0.0` }));
    return (await service.call(stack.key, 'POST', `${path}/sync`, { source: given.source, packages })).status;
  }
  if (given.kind === 'add') return (await stack.add(given.name, `${given.major}.0.0`)).status;
  const tracked = await items(stack);
  const item = tracked[given.place % Math.max(tracked.length, 1)];
  if (item === undefined) return 200;
  const [method, body] = given.kind === 'remove' ? ['DELETE', undefined] : ['PATCH', { version: `${given.major}.0.0` }];
  return (await service.call(stack.key, method, `${path}/${item.id}`, body)).status;
}

/** What should be open, from nothing but the tracked packages and the advisories. */
async function expected(stack: Stack): Promise<string[]> {
  const open = new Map<string, Set<string>>();
  for (const item of await items(stack)) {
    const installed = Number(item.version.split('.')[0]);
    for (const { name: of, introduced, fixed, id, cves } of known) {
      if (of !== item.name || installed < introduced || installed >= fixed) continue;
      const key = `${cves[0] ?? id} ${of}`;
      open.set(key, (open.get(key) ?? new Set()).add(item.version));
    }
  }
  return [...open].map(([key, versions]) => `${key} ${[...versions].sort().join()}`).sort();
}

async function unresolved(stack: Stack): Promise<string[]> {
  const alerts = await stack.alerts('&resolved=false');
  return alerts
    .map((each) => `${each.cve ?? each.advisory_ids[0]} ${each.package.name} ${[...each.versions].sort().join()}`)
    .sort();
}

describe('after any changes of the stack', () => {
  test('the unresolved alerts are those that a recomputation from nothing finds', async () => {
    for (const { name: of, introduced, fixed, id, cves } of known) {
      await storeAdvisory(service.database, of, advisory(id, `${introduced}.0.0`, `${fixed}.0.0`, { cves }));
    }
    let seen = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const stack = await newStack(service);
        for (const each of steps) {
          expect([200, 409]).toContain(await take(stack, each));
          const now = await unresolved(stack);
          expect(now).toEqual(await expected(stack));
          seen += now.length;
        }
      }),
      { numRuns: 25 },
    );
    expect(seen).toBeGreaterThan(20);
  });
});
