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
