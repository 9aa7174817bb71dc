import { runtimesWithImage } from './image-config.js';
import { parseImageRef, repositoryOf } from './image-ref.js';
import type { ImageRow, TierCounts } from './image-row.js';

/** What is known of an image that may be a base. */
export type BaseFacts = Pick<ImageRow, 'ref' | 'os' | 'runtime'>;

/** Why an image may replace a base; null where it may not, because it is another thing or older. */
export function replacementReason(base: BaseFacts, other: BaseFacts): string | null {
  const [from, to] = [parseImageRef(base.ref), parseImageRef(other.ref)];
  if (from === null || to === null) return null;
  if (repositoryOf(from) === repositoryOf(to)) return whyOfTags(from.tag ?? '', to.tag ?? '');
  const [runtime, otherRuntime] = [runtimeOf(base), runtimeOf(other)];
  return runtime === null && otherRuntime === null
    ? reasonOf('OS family', base.os, other.os)
    : reasonOf('language runtime', runtime, otherRuntime);
}

/** Both must be known and have the same name; the other one must not be older. */
function reasonOf(kind: string, base: string | null, other: string | null): string | null {
  if (base === null || other === null) return null;
  const [from, to] = [namedOf(base), namedOf(other)];
  return from.name !== to.name || compare(from.version, to.version) > 0 ? null : `same ${kind}: ${other}`;
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

/** How much a variant contains, by its tag; less is better. */
function weightOf(tag: string): number {
  if (/distroless|static|scratch|nano/.test(tag)) return 0;
  if (/alpine|musl/.test(tag)) return 1;
  return /slim|minimal|micro|jre/.test(tag) ? 2 : 3;
}

const javaRepositories = ['openjdk', 'eclipse-temurin', 'amazoncorretto'];

/** The runtime that an image's report names; for a report without history the one of its repository. */
function runtimeOf({ ref, runtime }: BaseFacts): string | null {
  if (runtime !== null) return runtime;
  const parsed = parseImageRef(ref);
  const repository = parsed?.path.split('/').at(-1) ?? '';
  const name = javaRepositories.includes(repository) ? 'java' : runtimesWithImage.find((each) => each === repository);
  return name === undefined ? null : `${name} ${versionOf(parsed?.tag ?? '').join('.')}`.trim();
}

/** Name and version of `debian 10.13`. */
function namedOf(text: string) {
  const [, name = text, version = ''] = /^(.*) (\S*\d\S*)$/.exec(text) ?? [];
  return { name, version: versionOf(version) };
}

/** How the counts change with the other base; negative is better. */
export function deltaOf(current: TierCounts, other: TierCounts): TierCounts {
  return { red: other.red - current.red, yellow: other.yellow - current.yellow, green: other.green - current.green };
}

/** Fewer RED first, then fewer YELLOW, then fewer GREEN. */
export function compareDeltas(a: TierCounts, b: TierCounts): number {
  return a.red - b.red || a.yellow - b.yellow || a.green - b.green;
}
