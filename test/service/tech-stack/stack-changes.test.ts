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
  dependencies: fc.constantFrom<string[][]>([], ['npm b 1'], ['npm b 1', 'npm c 1']),
  dependencies_known: fc.constantFrom('complete', 'incomplete', null),
  licences: fc.constantFrom<Licence[][]>([], [{ id: 'MIT' }]),
  hashes: fc.constantFrom<ComponentHash[][]>([], [{ alg: 'MD5', content: '00' }]),
  supplier: fc.constantFrom(null, 'Acme'),
});
const stack = fc.uniqueArray(stackPackage, { selector: identityOf });

/** What the changes make of the tracked packages. */
function applied(tracked: readonly TrackedPackage[], wanted: readonly StackPackage[]): Map<string, StackPackage> {
  const { added, updated, removed } = stackChanges(tracked, wanted);
  const byId = new Map<string, StackPackage>(tracked.map((each) => [each.id, each]));
  for (const { id } of removed) expect(byId.delete(id)).toBe(true);
  for (const each of updated) {
    expect(byId.has(each.id)).toBe(true);
    byId.set(each.id, each);
  }
  for (const [place, each] of added.entries()) byId.set(`new ${place}`, each);
  return byId;
}

function facts({ ecosystem, name, package_name, version, scope, direct, deprecated, ...rest }: StackPackage) {
  const { dependencies, dependencies_known, licences, hashes, supplier } = rest;
  const manifest = { dependencies, dependencies_known, licences, hashes, supplier };
  return JSON.stringify({ ecosystem, name, package_name, version, scope, direct, deprecated, manifest });
}

describe('the changes of a stack', () => {
  test('make the tracked packages exactly the wanted ones', () => {
    fc.assert(
      fc.property(stack, stack, (before, wanted) => {
        const tracked = before.map((each, place) => ({ ...each, id: String(place) }));
        expect([...applied(tracked, wanted).values()].map(facts).sort()).toEqual(wanted.map(facts).sort());
        const { added, updated, unchanged } = stackChanges(tracked, wanted);
        expect(added.length + updated.length + unchanged).toBe(wanted.length);
      }),
    );
  });

  test('are none where the stack is as wanted, in whatever order', () => {
    fc.assert(
      fc.property(stack, (wanted) => {
        const tracked = wanted.map((each, place) => ({ ...each, id: String(place) })).reverse();
        expect(stackChanges(tracked, wanted)).toEqual({
          added: [],
          updated: [],
          removed: [],
          unchanged: wanted.length,
        });
      }),
    );
  });

  test('keep the id of a package whose scope changes', () => {
    const known: TrackedPackage = {
      id: 'x',
      ecosystem: 'npm',
      name: 'a',
      package_name: 'a',
      version: '1.0.0',
      scope: 'runtime',
      direct: null,
      deprecated: null,
      ...noFacts,
    };
    const { updated } = stackChanges([known], [{ ...known, scope: 'development' }]);
    expect(updated).toMatchObject([{ id: 'x', scope: 'development' }]);
  });
});
