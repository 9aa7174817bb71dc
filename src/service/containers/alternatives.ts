import { parseImageRef, repositoryOf } from './image-ref.js';
import type { ImageRow, TierCounts } from './image-row.js';

/** What is known of an image that may be a base. */
export type BaseFacts = Pick<ImageRow, 'ref' | 'os' | 'runtime'>;

/** Why an image may replace a base; null where it may not, because it is another thing or older. */
export function replacementReason(base: BaseFacts, other: BaseFacts): string | null {
  const [from, to] = [parseImageRef(base.ref), parseImageRef(other.ref)];
  if (from === null || to === null) return null;
  if (repositoryOf(from) === repositoryOf(to)) return whyOfTags(from.tag ?? '', to.tag ?? '');
  const [runtime, otherRuntime] = [namedOf(runtimeOf(base)), namedOf(runtimeOf(other))];
  if (runtime !== null || otherRuntime !== null) {
    if (runtime === null || otherRuntime === null || runtime.name !== otherRuntime.name) return null;
    return isOlder(runtime.version, otherRuntime.version) ? null : `same language runtime: ${nameOf(otherRuntime)}`;
  }
  const [os, otherOs] = [namedOf(base.os), namedOf(other.os)];
  if (os === null || otherOs === null || os.name !== otherOs.name) return null;
  return isOlder(os.version, otherOs.version) ? null : `same OS family: ${nameOf(otherOs)}`;
}

function whyOfTags(from: string, to: string): string | null {
  const [before, after] = [versionOf(from), versionOf(to)];
  const order = compare(before, after);
  if (order > 0) return null;
  const [weight, otherWeight] = [weightOf(from), weightOf(to)];
  const slimmer = otherWeight < weight ? 'slimmer variant' : null;
  const newer = order < 0 ? 'newer tag' : null;
  // A heavier variant of the same version is no improvement. Tags without a version cannot be compared like that.
  if (newer === null && slimmer === null && otherWeight > weight && before.length > 0) return null;
  const what = [newer, slimmer].filter((part) => part !== null).join(' and ');
  return `${what === '' ? 'another tag' : what} of the same repository`;
}

/** `3.7.10-slim` is [3, 7, 10]; empty for `latest` and its like. */
function versionOf(text: string): number[] {
  const digits = /^v?(\d{1,9}(?:\.\d{1,9}){0,5})/.exec(text)?.[1];
  return digits === undefined ? [] : digits.split('.').map(Number);
}

/** Compares the parts that both have: `3` means the newest of 3, and so is not older than 3.7. */
function compare(a: readonly number[], b: readonly number[]): number {
  for (const [place, part] of a.entries()) {
    const other = b[place];
    if (other === undefined) return 0;
    if (part !== other) return part - other;
  }
  return 0;
}

function isOlder(than: string, version: string): boolean {
  return compare(versionOf(than), versionOf(version)) > 0;
}

/** How much a variant contains, by its tag; less is better. */
function weightOf(tag: string): number {
  if (/distroless|static|scratch|nano/.test(tag)) return 0;
  if (/alpine|musl/.test(tag)) return 1;
  return /slim|minimal|micro|jre/.test(tag) ? 2 : 3;
}

/** Official repositories by the runtime they bring, for reports without history. */
const runtimeOfRepository: ReadonlyMap<string, string> = new Map([
  ...['node', 'python', 'golang', 'ruby', 'php', 'rust'].map((name) => [name, name] as const),
  ...['openjdk', 'eclipse-temurin', 'amazoncorretto'].map((name) => [name, 'java'] as const),
]);

/** The runtime that an image's report names, else the one that its repository is named for. */
function runtimeOf({ ref, runtime }: BaseFacts): string | null {
  if (runtime !== null) return runtime;
  const parsed = parseImageRef(ref);
  const name = runtimeOfRepository.get(parsed?.path.split('/').at(-1) ?? '');
  return name === undefined ? null : `${name} ${versionOf(parsed?.tag ?? '').join('.')}`.trim();
}

interface Named {
  readonly name: string;
  readonly version: string;
}

/** Name and version of `debian 10.13`. */
function namedOf(text: string | null): Named | null {
  if (text === null) return null;
  const [, name = text, version = ''] = /^(.*) (\S*\d\S*)$/.exec(text) ?? [];
  return { name, version };
}

function nameOf({ name, version }: Named): string {
  return `${name} ${version}`.trim();
}

/** How the counts change with the other base; negative is better. */
export function deltaOf(current: TierCounts, other: TierCounts): TierCounts {
  return { red: other.red - current.red, yellow: other.yellow - current.yellow, green: other.green - current.green };
}

/** Fewer RED first, then fewer YELLOW, then fewer GREEN. */
export function compareDeltas(a: TierCounts, b: TierCounts): number {
  return a.red - b.red || a.yellow - b.yellow || a.green - b.green;
}
