import { yieldToEventLoop } from '../../shared/async/yield-to-event-loop.js';
import { identityOf, type ManifestFacts, type StackPackage } from './stack-package.js';

/** A tracked package in the database. */
export interface TrackedPackage extends StackPackage {
  readonly id: string;
  readonly revision: number;
  readonly added_at: Date;
  readonly updated_at: Date;
}

export interface StackChanges {
  readonly added: readonly StackPackage[];
  /** With the facts that are wanted, and the history that is there. */
  readonly updated: readonly TrackedPackage[];
  readonly removed: readonly TrackedPackage[];
  readonly unchanged: readonly TrackedPackage[];
}

/** The changes from a source's tracked packages to the wanted ones. Each list names a package once. */
export async function stackChanges(
  tracked: readonly TrackedPackage[],
  wanted: readonly StackPackage[],
): Promise<StackChanges> {
  const remaining = new Map(tracked.map((each) => [identityOf(each), each]));
  const added: StackPackage[] = [];
  const updated: TrackedPackage[] = [];
  const unchanged: TrackedPackage[] = [];
  const yieldNow = yieldToEventLoop();
  for (const each of wanted) {
    await yieldNow();
    const identity = identityOf(each);
    const known = remaining.get(identity);
    remaining.delete(identity);
    if (known === undefined) added.push(each);
    else if (isSame(known, each)) unchanged.push(known);
    else {
      const { id, revision, added_at, updated_at } = known;
      updated.push({ ...each, id, revision, added_at, updated_at });
    }
  }
  return { added, updated, removed: [...remaining.values()], unchanged };
}

function isSame(a: StackPackage, b: StackPackage): boolean {
  return (
    a.name === b.name &&
    a.scope === b.scope &&
    a.direct === b.direct &&
    a.deprecated === b.deprecated &&
    JSON.stringify(a.bundled_in) === JSON.stringify(b.bundled_in) &&
    rangesText(a) === rangesText(b) &&
    hasSameFacts(a, b)
  );
}

/** PostgreSQL keeps the fields of an object in an order of its own. */
function rangesText({ ranges, asked_by }: StackPackage): string {
  const askers = asked_by?.map(({ file, range, override }) => [file, range, override]);
  return ranges === null && askers === undefined ? '' : JSON.stringify([Object.entries(ranges ?? {}).sort(), askers]);
}

/** Whether both say the same, licences and digests in the same order. */
export function hasSameFacts(a: ManifestFacts, b: ManifestFacts): boolean {
  return factsText(a) === factsText(b);
}

/** PostgreSQL keeps the fields of an object in an order of its own. Each object here has one or two. */
function factsText({ dependencies, dependencies_known, licences, hashes, supplier }: ManifestFacts): string {
  const digests = hashes.map(({ alg, content }) => [alg, content]);
  return JSON.stringify([dependencies, dependencies_known, licences, digests, supplier]);
}
