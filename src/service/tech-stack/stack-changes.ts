import { identityOf, type ManifestFacts, type StackPackage } from './stack-package.js';

/** A tracked package in the database. */
export interface TrackedPackage extends StackPackage {
  readonly id: string;
}

export interface StackChanges {
  readonly added: readonly StackPackage[];
  readonly updated: readonly TrackedPackage[];
  readonly removed: readonly TrackedPackage[];
  readonly unchanged: number;
}

/** The changes from a source's tracked packages to the wanted ones. Each list names a package once. */
export function stackChanges(tracked: readonly TrackedPackage[], wanted: readonly StackPackage[]): StackChanges {
  const remaining = new Map(tracked.map((each) => [identityOf(each), each]));
  const added: StackPackage[] = [];
  const updated: TrackedPackage[] = [];
  let unchanged = 0;
  for (const each of wanted) {
    const identity = identityOf(each);
    const known = remaining.get(identity);
    remaining.delete(identity);
    if (known === undefined) added.push(each);
    else if (isSame(known, each)) unchanged += 1;
    else updated.push({ ...each, id: known.id });
  }
  return { added, updated, removed: [...remaining.values()], unchanged };
}

function isSame(a: StackPackage, b: StackPackage): boolean {
  return (
    a.name === b.name &&
    a.scope === b.scope &&
    a.direct === b.direct &&
    a.deprecated === b.deprecated &&
    hasSameFacts(a, b)
  );
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
