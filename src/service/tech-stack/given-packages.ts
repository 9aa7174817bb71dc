import type * as z from 'zod';
import { type Reason, reasons } from '../../procedures/problem.js';
import type { techStack } from '../../procedures/tech-stack.js';
import { yieldToEventLoop } from '../../shared/async/yield-to-event-loop.js';
import type { Completeness } from '../db/tables/projects.js';
import { ApiError } from '../http/api-error.js';
import { readCoordinate } from '../packages/coordinate.js';
import { maxEdges } from './documents/sbom.js';
import { identityOf, mergeMentions, type StackPackage, sortedKeys, toStackPackage } from './stack-package.js';

export type GivenPackage = z.output<typeof techStack.sync.input>['packages'][number];

/** Errors in one answer: 100,000 bad rows have one cause, not 100,000. */
const maxErrors = 20;

interface PackageError {
  readonly field: string;
  readonly message: string;
  readonly reason?: Reason;
}

/** The packages of a sync, each once. Rejects the list with one error for each bad package, named by its index. */
export async function readGivenPackages(given: readonly GivenPackage[]): Promise<StackPackage[]> {
  const packages = new Map<string, StackPackage>();
  const identities: string[] = [];
  const errors: PackageError[] = [];
  const reject = (field: string, reason: Reason) => errors.push({ field, message: reasons[reason], reason });
  const yieldNow = yieldToEventLoop();
  for (const [place, each] of given.entries()) {
    await yieldNow();
    if (errors.length === maxErrors) break;
    const coordinate = readCoordinate(each);
    if ('reason' in coordinate) {
      identities.push('');
      reject(`packages.${place}.${coordinate.field}`, coordinate.reason);
      continue;
    }
    const { scope, direct = null, deprecated = null, dependencies, incomplete, asked_by = null } = each;
    const dependencies_known = dependencies === undefined ? null : incomplete === true ? 'incomplete' : 'complete';
    const mention = toStackPackage({ ...coordinate, scope, direct, deprecated, dependencies_known, asked_by });
    const identity = identityOf(mention);
    identities.push(identity);
    const known = packages.get(identity);
    const merged = known === undefined ? mention : mergeMentions(known, mention);
    if (merged === null) reject(`packages.${place}`, 'duplicate');
    else packages.set(identity, merged);
  }
  if (errors.length > 0) throw new ApiError('invalid_input', { errors });
  return withDependencies(given, packages, identities);
}

/** The packages with what they depend on: indexes become identities. Of a package given twice, both lists count. */
async function withDependencies(
  given: readonly GivenPackage[],
  packages: ReadonlyMap<string, StackPackage>,
  identities: readonly string[],
): Promise<StackPackage[]> {
  const needs = new Map<string, Set<string>>();
  let edges = 0;
  const yieldNow = yieldToEventLoop();
  const holders = new Map<string, Set<string>>();
  const ranges = new Map<string, Map<string, string>>();
  for (const [place, { dependencies = [], ranges: asked = [], bundled_in }] of given.entries()) {
    await yieldNow();
    edges += dependencies.length + (bundled_in?.length ?? 0);
    if (edges > maxEdges) throw badDependency(`packages.${place}.dependencies`, `must be at most ${maxEdges} in all`);
    if (asked.length > 0 && asked.length !== dependencies.length) {
      throw badDependency(`packages.${place}.ranges`, `is one for each of dependencies, so ${dependencies.length}`);
    }
    const own = identities[place] ?? '';
    const keys = needs.get(own) ?? new Set();
    needs.set(own, keys);
    for (const [at, index] of dependencies.entries()) {
      const key = identities[index];
      if (key === undefined) {
        const expected = `is an index in packages, so at most ${given.length - 1}`;
        throw badDependency(`packages.${place}.dependencies.${at}`, expected);
      }
      if (key === own) continue;
      keys.add(key);
      const range = asked[at];
      if (range) ranges.set(own, (ranges.get(own) ?? new Map<string, string>()).set(key, range));
    }
    if (bundled_in === undefined) continue;
    const carried = holders.get(own) ?? new Set();
    holders.set(own, carried);
    for (const [at, index] of bundled_in.entries()) {
      const key = identities[index];
      if (key === undefined) {
        const expected = `is an index in packages, so at most ${given.length - 1}`;
        throw badDependency(`packages.${place}.bundled_in.${at}`, expected);
      }
      carried.add(key);
    }
  }
  return [...packages].map(([identity, each]) => {
    const carried = holders.get(identity);
    const stated = ranges.get(identity);
    const bundled_in = carried === undefined ? null : sortedKeys(carried);
    return {
      ...each,
      bundled_in,
      ranges: stated === undefined ? null : Object.fromEntries(stated),
      dependencies: sortedKeys(needs.get(identity) ?? []),
    };
  });
}

function badDependency(field: string, message: string): ApiError {
  return new ApiError('invalid_input', { errors: [{ field, message }] });
}

/**
 * Whether the packages marked as direct are all of the project's direct dependencies. A list that marks all as direct and
 * knows no graph may be a frozen environment, as of `pip freeze`.
 */
export function directKnownOf(packages: readonly StackPackage[]): Completeness {
  const isTold = packages.every(({ direct }) => direct !== null);
  if (!isTold || (packages.length > 0 && !packages.some(({ direct }) => direct))) return null;
  const showsGraph = packages.every(({ dependencies_known }) => dependencies_known !== null);
  return showsGraph || packages.some(({ direct }) => direct === false) ? 'complete' : null;
}

/** The packages under the names that their registry has. A package that is also given under that name comes once. */
export function withLegacyNames(
  packages: readonly StackPackage[],
  legacy: ReadonlyMap<string, string>,
): readonly StackPackage[] {
  if (legacy.size === 0) return packages;
  const nameOf = ({ ecosystem, name }: StackPackage) => (ecosystem === 'npm' ? legacy.get(name) : undefined) ?? name;
  const renamed = packages.map((each) => toStackPackage({ ...each, name: nameOf(each) }));
  const keys = new Map(packages.map((each, place) => [identityOf(each), identityOf(renamed[place] ?? each)]));
  const named = new Map<string, StackPackage>();
  for (const each of renamed) {
    const dependencies = sortedKeys(each.dependencies.map((key) => keys.get(key) ?? key));
    const bundled_in = each.bundled_in && sortedKeys(each.bundled_in.map((key) => keys.get(key) ?? key));
    const ranges =
      each.ranges &&
      Object.fromEntries(Object.entries(each.ranges).map(([key, range]) => [keys.get(key) ?? key, range]));
    const mention = { ...each, bundled_in, ranges, dependencies };
    const known = named.get(identityOf(mention));
    named.set(identityOf(mention), known === undefined ? mention : (mergeMentions(known, mention) ?? known));
  }
  return [...named.values()];
}
