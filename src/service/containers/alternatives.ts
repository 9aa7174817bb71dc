import { parseImageRef, repositoryOf } from './image-ref.js';
import type { ImageRow, TierCounts } from './image-row.js';
import { factsOfName } from './name-facts.js';
import { compareVersions, namedOf, releaseOf, versionOf } from './version-parts.js';

/** What is known of an image that may be a base. */
export type BaseFacts = Pick<ImageRow, 'ref' | 'os' | 'runtime'>;

/** Why an image may replace a base; null where it may not, because it is another thing or older. */
export function replacementReason(base: BaseFacts, other: BaseFacts): string | null {
  const [from, to] = [parseImageRef(base.ref), parseImageRef(other.ref)];
  if (from === null || to === null || isStepBack(base, other)) return null;
  if (repositoryOf(from) === repositoryOf(to)) return whyOfTags(from.tag ?? '', to.tag ?? '');
  const [runtime, otherRuntime] = [runtimeOf(base), runtimeOf(other)];
  return runtime === null && otherRuntime === null
    ? reasonOf('OS family', base.os, other.os)
    : reasonOf('language runtime', runtime, otherRuntime);
}

/** Whether another image has another runtime, or an older one, or an older release of the same system, as far as is known. */
export function isStepBack(base: BaseFacts, other: BaseFacts): boolean {
  const [runtime, otherRuntime] = [runtimeOf(base), runtimeOf(other)];
  if (runtime !== null && otherRuntime !== null) {
    const [from, to] = [namedOf(runtime), namedOf(otherRuntime)];
    if (from.name !== to.name || compareVersions(from.version, to.version) > 0) return true;
  }
  const [os, otherOs] = [base.os, other.os].map((text) => (text === null ? null : namedOf(text)));
  if (os == null || otherOs == null || os.name !== otherOs.name) return false;
  return compareVersions(releaseOf(os), releaseOf(otherOs)) > 0;
}

/** Both must be known and have the same name; the other one must not be older. */
function reasonOf(kind: string, base: string | null, other: string | null): string | null {
  if (base === null || other === null) return null;
  const [from, to] = [namedOf(base), namedOf(other)];
  return from.name !== to.name || compareVersions(from.version, to.version) > 0 ? null : `same ${kind}: ${other}`;
}

function whyOfTags(from: string, to: string): string | null {
  const [before, after] = [versionOf(from), versionOf(to)];
  const order = compareVersions(before, after);
  if (order > 0) return null;
  const [weight, otherWeight] = [weightOf(from), weightOf(to)];
  const slimmer = otherWeight < weight ? 'slimmer variant' : null;
  const newer = order < 0 ? 'newer tag' : null;
  // A heavier variant of the same version is no improvement. Tags without a version cannot be compared like that.
  if (newer === null && slimmer === null && otherWeight > weight && before.length > 0) return null;
  const what = [newer, slimmer].filter((part) => part !== null).join(' and ');
  return `${what === '' ? 'another tag' : what} of the same repository`;
}

/** How much a variant contains, by its tag; less is better. */
function weightOf(tag: string): number {
  if (/distroless|static|scratch|nano/.test(tag)) return 0;
  if (/alpine|musl/.test(tag)) return 1;
  return /slim|minimal|micro|jre/.test(tag) ? 2 : 3;
}

/** The runtime that an image's report names; for a report without history the one of its name. */
function runtimeOf({ ref, runtime }: BaseFacts): string | null {
  return runtime ?? factsOfName(ref).runtime;
}

/** How the counts change with the other base; negative is better. */
export function deltaOf(current: TierCounts, other: TierCounts): TierCounts {
  return { red: other.red - current.red, yellow: other.yellow - current.yellow, green: other.green - current.green };
}

/** Fewer RED first, then fewer YELLOW, then fewer GREEN. */
export function compareDeltas(a: TierCounts, b: TierCounts): number {
  return a.red - b.red || a.yellow - b.yellow || a.green - b.green;
}

/** Whether the worst tier that changes gets fewer findings. */
export function isBetter({ red, yellow, green }: TierCounts): boolean {
  return (red || yellow || green) < 0;
}
