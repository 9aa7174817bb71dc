import * as z from 'zod';
import type { ReleaseFacts } from './listing.js';

/**
 * Releases that follow each other and have equal facts, as what changes from the run before. A package of 900 releases then takes some
 * 20 kB, not 200.
 */
type Run = z.infer<typeof runSchema>;

const runSchema = z.object({
  /** How many releases; 1 where it is absent. */
  count: z.int().positive().optional(),
  /**
   * Ranges that are new or other ones, null for those that are gone. Null in its place: the ranges of these releases are not known.
   * Absent: as before.
   */
  needs: z.record(z.string(), z.string().nullable()).nullable().optional(),
  deprecated: z.boolean().optional(),
  node: z.string().nullable().optional(),
});

const runsSchema = z.array(runSchema);

/** Where the first run begins. */
const nothing: ReleaseFacts = { dependencies: {}, deprecated: false, node: null };

/**
 * Writes the facts of releases as JSON of at most `maxBytes`. What does not fit is left out at the end, and is not known to who reads it.
 */
export function writeRuns(releases: readonly ReleaseFacts[], maxBytes: number): string {
  const texts: string[] = [];
  let bytes = 2;
  for (const run of runsOf(releases)) {
    const text = JSON.stringify(run);
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > maxBytes) break;
    texts.push(text);
  }
  return `[${texts.join(',')}]`;
}

/** The facts of releases as `writeRuns` got them; those that were left out are absent. */
export function readRuns(text: string): ReleaseFacts[] {
  const releases: ReleaseFacts[] = [];
  let last = nothing;
  // The ranges that the next change is a change of: the last known ones.
  let known: ReadonlyMap<string, string> = new Map();
  for (const { count = 1, needs, deprecated, node } of runsSchema.parse(JSON.parse(text))) {
    if (needs !== undefined && needs !== null) known = changed(known, needs);
    const dependencies = needs === undefined ? last.dependencies : needs && Object.fromEntries(known);
    last = { dependencies, deprecated: deprecated ?? last.deprecated, node: node === undefined ? last.node : node };
    for (let nth = 0; nth < count; nth++) releases.push(last);
  }
  return releases;
}

function runsOf(releases: readonly ReleaseFacts[]): Run[] {
  const runs: Run[] = [];
  let last = nothing;
  let known: ReadonlyMap<string, string> = new Map();
  for (const release of releases) {
    const { dependencies, deprecated, node } = release;
    const ranges = dependencies && new Map(Object.entries(dependencies));
    const needs = ranges && changesOf(known, ranges);
    const isSame = last.dependencies === null ? needs === null : needs !== null && Object.keys(needs).length === 0;
    const run: Run = {
      ...(!isSame && { needs }),
      ...(deprecated !== last.deprecated && { deprecated }),
      ...(node !== last.node && { node }),
    };
    const before = runs.at(-1);
    if (before !== undefined && Object.keys(run).length === 0) before.count = (before.count ?? 1) + 1;
    else runs.push(run);
    last = release;
    known = ranges ?? known;
  }
  return runs;
}

function changesOf(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) {
  const set = [...after].filter(([name, range]) => before.get(name) !== range);
  const gone = [...before.keys()].filter((name) => !after.has(name)).map((name): [string, null] => [name, null]);
  return Object.fromEntries<string | null>([...set, ...gone]);
}

function changed(before: ReadonlyMap<string, string>, changes: Readonly<Record<string, string | null>>) {
  const after = new Map(before);
  for (const [name, range] of Object.entries(changes)) {
    if (range === null) after.delete(name);
    else after.set(name, range);
  }
  return after;
}
