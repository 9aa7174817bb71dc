import type * as z from 'zod';
import { type Reason, reasons } from '../../procedures/problem.js';
import type { techStack } from '../../procedures/tech-stack.js';
import { ApiError } from '../http/api-error.js';
import { readCoordinate } from '../packages/coordinate.js';
import { identityOf, mergeMentions, type StackPackage, toStackPackage } from './stack-package.js';

export type GivenPackage = z.output<typeof techStack.sync.input>['packages'][number];

/** Errors told of at once; a list of 100,000 bad rows has one cause, not 100,000. */
const maxErrors = 20;

interface PackageError {
  readonly field: string;
  readonly message: string;
  readonly reason: Reason;
}

/** The packages of a sync, each once. Refuses the list with one error a bad package, named by its place. */
export function readGivenPackages(given: readonly GivenPackage[]): StackPackage[] {
  const packages = new Map<string, StackPackage>();
  const errors: PackageError[] = [];
  const refuse = (field: string, reason: Reason) => errors.push({ field, message: reasons[reason], reason });
  for (const [place, each] of given.entries()) {
    if (errors.length === maxErrors) break;
    const coordinate = readCoordinate(each);
    if ('reason' in coordinate) {
      refuse(`packages.${place}.${coordinate.field}`, coordinate.reason);
      continue;
    }
    const { scope, direct = null, deprecated = null } = each;
    const mention = toStackPackage({ ...coordinate, scope, direct, deprecated });
    const identity = identityOf(mention);
    const known = packages.get(identity);
    const merged = known === undefined ? mention : mergeMentions(known, mention);
    if (merged === null) refuse(`packages.${place}`, 'duplicate');
    else packages.set(identity, merged);
  }
  if (errors.length > 0) throw new ApiError('invalid_input', { errors });
  return [...packages.values()];
}
