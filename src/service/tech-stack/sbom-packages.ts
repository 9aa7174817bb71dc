import { maxSkippedRows, type Receipt } from '../../procedures/receipt.js';
import { keptUnread, maxUnreadParts, type UnreadPart } from '../../procedures/unread.js';
import { yieldToEventLoop } from '../../shared/async/yield-to-event-loop.js';
import { onOneLine } from '../../shared/text/cut.js';
import type { Completeness } from '../db/tables/projects.js';
import { namedBy, readComponent, type Unplaced } from './documents/read-component.js';
import { type Needs, resolveGraph } from './documents/resolve-graph.js';
import type { Sbom, SkippedRow } from './documents/sbom.js';
import { unreadableSbom } from './documents/unreadable-sbom.js';
import { mergeMentions, type StackPackage, sortedKeys } from './stack-package.js';
import { mergeUnmatched, type UnmatchedComponent } from './unmatched-component.js';

/** Characters of a pointer in an unread part. */
const maxPointer = 200;

/** What a project's stack takes from an SBOM, and what became of each of its rows. */
export interface SbomPackages {
  readonly packages: readonly StackPackage[];
  readonly unmatched: readonly UnmatchedComponent[];
  /** Of the direct dependencies. */
  readonly directKnown: Completeness;
  readonly receipt: Receipt;
  /** Components that could be packages and have no place in the stack. */
  readonly unread: readonly UnreadPart[];
  /** The component that a ref of the document names: its package URL or name, and its key. */
  readonly componentOf: (ref: string) => { readonly label: string; readonly key: string | null } | undefined;
}

/** Each package and each other component of an SBOM once, with its dependencies. */
export async function packagesOf(sbom: Sbom): Promise<SbomPackages> {
  const packages = new Map<string, StackPackage>();
  const unmatched = new Map<string, UnmatchedComponent>();
  const keyOfRef = new Map<string, string>();
  const labels = new Map<string, string>();
  const skipped: SkippedRow[] = [...sbom.skipped];
  let [merged, leftOut, notPlaced] = [0, 0, 0];
  const unread: UnreadPart[] = [];
  const keep = (part: Unplaced, at: string) => {
    notPlaced += 1;
    if (unread.length < maxUnreadParts) unread.push({ ...part, at: onOneLine(at, maxPointer) || null });
  };
  const whole = sbom.subject.component === null ? null : namedBy(sbom.subject.component, 'own');
  for (const { pointer } of sbom.skipped)
    keep({ ecosystem: null, name: null, reason: 'bad_name', stated: null }, pointer);
  const yieldNow = yieldToEventLoop();
  for (const component of sbom.components) {
    await yieldNow();
    const read = readComponent(component);
    if (component.ref !== null && !labels.has(component.ref)) labels.set(component.ref, read.label);
    for (const part of [read.unread, ...component.ancestors.map((each) => namedBy(each, 'replaced'))]) {
      if (part !== null) keep(part, component.pointer);
    }
    if (read.become === 'skipped') skipped.push({ pointer: component.pointer, reason: read.reason });
    else if (read.become === 'left_out') leftOut += 1;
    else {
      const isNew =
        read.become === 'package'
          ? addPackage(packages, read.key, read.package)
          : addOther(unmatched, read.key, read.component);
      if (!isNew) merged += 1;
      // Where several components have one ref, it names the first.
      if (component.ref !== null && !keyOfRef.has(component.ref)) keyOfRef.set(component.ref, read.key);
    }
  }
  // Last, so that it takes no other part's place.
  if (whole !== null && sbom.subject.component !== null) keep(whole, sbom.subject.component.pointer);
  const taken = packages.size + unmatched.size;
  const [fault] = skipped;
  // Taken as an inventory, it would remove all packages of its source.
  if (taken === 0 && fault !== undefined) {
    throw unreadableSbom(`has no component that can be used: ${fault.pointer} ${fault.reason}`);
  }
  const { needs, direct, directKnown } = await resolveGraph(sbom.graph, sbom.subject.refs, keyOfRef);
  const place = <Kept extends StackPackage | UnmatchedComponent>([key, kept]: readonly [string, Kept]): Kept => ({
    ...kept,
    direct: direct(key),
    ...dependenciesOf(needs.get(key)),
  });
  return {
    packages: [...packages].map(place),
    unmatched: [...unmatched].map(place),
    directKnown,
    unread: keptUnread(unread, notPlaced, null),
    receipt: {
      rows: sbom.components.length + sbom.skipped.length,
      taken,
      merged,
      skipped: skipped.length,
      skipped_rows: skipped.slice(0, maxSkippedRows),
      left_out: leftOut === 0 ? [] : [{ kind: 'other', count: leftOut }],
    },
    componentOf(ref) {
      const label = labels.get(ref);
      return label === undefined ? undefined : { label, key: keyOfRef.get(ref) ?? null };
    },
  };
}

function dependenciesOf(needs: Needs | undefined) {
  return { dependencies: sortedKeys(needs?.keys ?? []), dependencies_known: needs?.known ?? null };
}

/** Whether it is not there yet. Of two deprecation notices the first one stays. */
function addPackage(packages: Map<string, StackPackage>, key: string, mention: StackPackage): boolean {
  const known = packages.get(key);
  packages.set(key, known === undefined ? mention : (mergeMentions(known, mention) ?? known));
  return known === undefined;
}

function addOther(unmatched: Map<string, UnmatchedComponent>, key: string, mention: UnmatchedComponent): boolean {
  const known = unmatched.get(key);
  unmatched.set(key, known === undefined ? mention : mergeUnmatched(known, mention));
  return known === undefined;
}
