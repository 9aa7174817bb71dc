import * as z from 'zod';
import { groupBy } from './group-by.js';
import type { Overrider, Reading } from './package-list.js';
import { splitReference } from './reference.js';
import { parseJson, parseYaml, type Source, unlessInvalid } from './source.js';

/** A file beside the lock file, and the path of fields to the overrides in it. */
type Place = readonly [file: string, ...fields: string[]];

const resolutions: Place = ['package.json', 'resolutions'];

/** Where each tool reads the overrides of a project. */
const placesOf = {
  npm: [['package.json', 'overrides']],
  pnpm: [['pnpm-workspace.yaml', 'overrides'], ['package.json', 'pnpm', 'overrides'], resolutions],
  yarn: [resolutions],
  bun: [['package.json', 'overrides'], resolutions],
} satisfies Record<string, readonly [Place, ...Place[]]>;

/** Overrides of npm are tables in tables. */
const maxDepth = 16;

/** Characters; no name and range is longer. */
const maxKeyLength = 300;

const table = z.record(z.string(), z.unknown());

interface Entry {
  readonly name: string;
  readonly by: Overrider;
}

/**
 * The packages with what overrides them: the tool takes what the project has written there, whatever others ask for.
 *
 * @param obeyed the keys that the lock file says were obeyed; by default all
 */
export async function withOverrides(
  reading: Reading,
  source: Source,
  tool: keyof typeof placesOf,
  obeyed: readonly string[] | null = null,
): Promise<Reading> {
  const written = (await Promise.all(placesOf[tool].map((place) => entriesAt(source, place)))).flat();
  const entries = obeyed === null ? written : obeyedEntries(obeyed, written, placesOf[tool][0]);
  if (entries.length === 0) return reading;
  const byName = new Map(
    [...groupBy(entries, ({ name }) => name)].map(([name, own]) => [name, own.map(({ by }) => by)]),
  );
  const packages = reading.packages.map((each) => {
    const overriddenBy = byName.get(each.name);
    return overriddenBy === undefined ? each : { ...each, overriddenBy };
  });
  return { ...reading, packages };
}

/** The manifest that has a key may be out of reach. Then it is where the tool writes it today. */
function obeyedEntries(obeyed: readonly string[], written: readonly Entry[], [file, ...fields]: Place): Entry[] {
  // Where several places have a key, the first one counts.
  const byKey = new Map(written.toReversed().map((entry) => [entry.by.key, entry]));
  return obeyed.flatMap((key) => {
    if (key.length > maxKeyLength) return [];
    return byKey.get(key) ?? { name: overriddenName(key), by: { file, key, fields, value: null } };
  });
}

async function entriesAt(source: Source, [file, ...fields]: Place): Promise<Entry[]> {
  const manifest = await source.readRelative(file);
  const parse = (written: Source) => (file.endsWith('.yaml') ? parseYaml(written).at(-1) : parseJson(written));
  // A broken file overrides nothing.
  const content = manifest && (await unlessInvalid(() => parse(manifest), undefined));
  const found = fields.reduce<unknown>((outer, field) => table.safeParse(outer).data?.[field], content);
  return entriesIn(found, file, fields);
}

function entriesIn(value: unknown, file: string, fields: readonly string[]): Entry[] {
  const entries = table.safeParse(value).data ?? {};
  return Object.entries(entries).flatMap(([key, inner]): Entry[] => {
    if (key.length > maxKeyLength) return [];
    const name = overriddenName(key === '.' ? (fields.at(-1) ?? '') : key);
    if (typeof inner === 'string') return [{ name, by: { file, key, fields, value: inner } }];
    return fields.length < maxDepth ? entriesIn(inner, file, [...fields, key]) : [];
  });
}

/** The package that a key replaces: `b` of `a>b@1` (pnpm), `a/b` and `b@npm:^1` (Yarn), and `b@^1` (npm). */
function overriddenName(key: string): string {
  const child = key.split(/>(?=[@a-z])/i).at(-1) ?? key;
  const [name = child] = /(?:@[^/@]+\/)?[^/@*]+(?:@[^/].*)?$/.exec(child) ?? [];
  return splitReference(name).name;
}
