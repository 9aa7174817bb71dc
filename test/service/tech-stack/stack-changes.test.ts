import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ComponentHash, Licence } from '../../../src/service/db/tables/projects.js';
import { stackChanges, type TrackedPackage } from '../../../src/service/tech-stack/stack-changes.js';
import { identityOf, noFacts, type StackPackage } from '../../../src/service/tech-stack/stack-package.js';

const stackPackage = fc.record<StackPackage>({
  ecosystem: fc.constantFrom('npm', 'PyPI'),
  name: fc.constantFrom('A', 'a'),
  package_name: fc.constantFrom('a', 'b', 'c'),
  version: fc.constantFrom('1', '2'),
  scope: fc.constantFrom('runtime', 'development', 'optional'),
  direct: fc.constantFrom(true, false, null),
  deprecated: fc.constantFrom(null, 'old'),
  bundled_in: fc.constantFrom<(string[] | null)[]>(null, [], ['npm b 1']),
  ranges: fc.constantFrom<Record<string, string>[]>({}, { 'npm b 1': '^1' }),
  asked_by: fc.constantFrom(
    [],
    [{ file: 'package.json', range: '^1' }],
    [{ file: 'package.json', range: null, override: 'overrides: "a"' }],
  ),
  dependencies: fc.constantFrom<string[][]>([], ['npm b 1'], ['npm b 1', 'npm c 1']),
  dependencies_known: fc.constantFrom('complete', 'incomplete', null),
  licences: fc.constantFrom<Licence[][]>([], [{ id: 'MIT' }]),
  hashes: fc.constantFrom<ComponentHash[][]>([], [{ alg: 'MD5', content: '00' }]),
  supplier: fc.constantFrom(null, 'Acme'),
});
const stack = fc.uniqueArray(stackPackage, { selector: identityOf });

const at = new Date(0);

/** The packages as they are in the database. */
function asTracked(packages: readonly StackPackage[]): TrackedPackage[] {
  return packages.map((each, place) => ({ ...each, id: String(place), revision: 1, added_at: at, updated_at: at }));
}

/** What the changes make of the tracked packages. */
async function applied(tracked: readonly TrackedPackage[], wanted: readonly StackPackage[]) {
  const { added, updated, removed } = await stackChanges(tracked, wanted);
  const byId = new Map<string, StackPackage>(tracked.map((each) => [each.id, each]));
  for (const { id } of removed) expect(byId.delete(id)).toBe(true);
  for (const each of updated) {
    expect(byId.has(each.id)).toBe(true);
    byId.set(each.id, each);
  }
  for (const [place, each] of added.entries()) byId.set(`new ${place}`, each);
  return byId;
}

function facts({
  ecosystem,
  name,
  package_name,
  version,
  scope,
  direct,
  deprecated,
  bundled_in,
  ranges,
  asked_by,
  ...rest
}: StackPackage) {
  const { dependencies, dependencies_known, licences, hashes, supplier } = rest;
  const manifest = { dependencies, dependencies_known, licences, hashes, supplier };
  return JSON.stringify({
    ecosystem,
    name,
    package_name,
    version,
    scope,
    direct,
    deprecated,
    bundled_in,
    ranges,
    asked_by,
    manifest,
  });
}

describe('the changes of a stack', () => {
  test('make the tracked packages exactly the wanted ones', async () => {
    await fc.assert(
      fc.asyncProperty(stack, stack, async (before, wanted) => {
        const tracked = asTracked(before);
        expect([...(await applied(tracked, wanted)).values()].map(facts).sort()).toEqual(wanted.map(facts).sort());
        const { added, updated, unchanged } = await stackChanges(tracked, wanted);
        expect(added.length + updated.length + unchanged.length).toBe(wanted.length);
      }),
    );
  });

  test('are none where the stack is as wanted, in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(stack, async (wanted) => {
        const tracked = asTracked(wanted);
        expect(await stackChanges(tracked.toReversed(), wanted)).toEqual({
          added: [],
          updated: [],
          removed: [],
          unchanged: tracked,
        });
      }),
    );
  });

  test('keep the id of a package whose scope changes', async () => {
    const known: StackPackage = {
      ecosystem: 'npm',
      name: 'a',
      package_name: 'a',
      version: '1.0.0',
      scope: 'runtime',
      direct: null,
      deprecated: null,
      bundled_in: null,
      ranges: null,
      asked_by: null,
      ...noFacts,
    };
    const { updated } = await stackChanges(asTracked([known]), [{ ...known, scope: 'development' }]);
    expect(updated).toMatchObject([{ id: '0', scope: 'development', added_at: at }]);
  });
});
