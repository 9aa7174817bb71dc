import type * as z from 'zod';
import { type Reason, reasons } from '../../procedures/problem.js';
import type { techStack } from '../../procedures/tech-stack.js';
import { ApiError } from '../http/api-error.js';
import { readCoordinate } from '../packages/coordinate.js';
import { identityOf, mergeMentions, type StackPackage, toStackPackage } from './stack-package.js';

export type GivenPackage = z.output<typeof techStack.sync.input>['packages'][number];

/** Errors in one answer: 100,000 bad rows have one cause, not 100,000. */
const maxErrors = 20;

interface PackageError {
  readonly field: string;
  readonly message: string;
  readonly reason: Reason;
}

/** The packages of a sync, each once. Rejects the list with one error for each bad package, named by its index. */
export function readGivenPackages(given: readonly GivenPackage[]): StackPackage[] {
  const packages = new Map<string, StackPackage>();
  const errors: PackageError[] = [];
  const reject = (field: string, reason: Reason) => errors.push({ field, message: reasons[reason], reason });
  for (const [place, each] of given.entries()) {
    if (errors.length === maxErrors) break;
    const coordinate = readCoordinate(each);
    if ('reason' in coordinate) {
      reject(`packages.${place}.${coordinate.field}`, coordinate.reason);
      continue;
    }
    const { scope, direct = null, deprecated = null } = each;
    const mention = toStackPackage({ ...coordinate, scope, direct, deprecated });
    const identity = identityOf(mention);
    const known = packages.get(identity);
    const merged = known === undefined ? mention : mergeMentions(known, mention);
    if (merged === null) reject(`packages.${place}`, 'duplicate');
    else packages.set(identity, merged);
  }
  if (errors.length > 0) throw new ApiError('invalid_input', { errors });
  return [...packages.values()];
}

/** The packages under the names that their registry has. A package that is also given under that name comes once. */
export function withLegacyNames(
  packages: readonly StackPackage[],
  legacy: ReadonlyMap<string, string>,
): readonly StackPackage[] {
  if (legacy.size === 0) return packages;
  const named = new Map<string, StackPackage>();
  for (const each of packages) {
    const name = (each.ecosystem === 'npm' ? legacy.get(each.name) : undefined) ?? each.name;
    const mention = toStackPackage({ ...each, name });
    const known = named.get(identityOf(mention));
    named.set(identityOf(mention), known === undefined ? mention : (mergeMentions(known, mention) ?? known));
  }
  return [...named.values()];
}
