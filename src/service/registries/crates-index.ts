import * as z from 'zod';
import { type Listing, type ReleaseFacts, rangesOf, versionText, withReleases } from './listing.js';

const lineSchema = z.object({ vers: versionText, yanked: z.boolean().default(false), deps: z.unknown().optional() });
const dependenciesSchema = z.array(
  z.object({
    name: z.string(),
    req: z.string(),
    kind: z.enum(['normal', 'build', 'dev']).nullish(),
    /** The crate's own name, where the release calls it by another. */
    package: z.string().nullish(),
  }),
);

/**
 * One JSON object a line, one line a version. Build scripts' crates are compiled as well; those of tests are not asked for.
 * https://doc.rust-lang.org/cargo/reference/registry-index.html
 */
export function readCratesIndex(text: string): Listing {
  const releases = new Map<string, ReleaseFacts>();
  const yanked: string[] = [];
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  for (const line of lines) {
    const parsed = lineSchema.safeParse(parseJson(line));
    if (!parsed.success) continue;
    const { vers, deps, ...release } = parsed.data;
    if (release.yanked) yanked.push(vers);
    else releases.set(vers, { dependencies: dependenciesOf(deps), deprecated: false, node: null });
  }
  if (lines.length > 0 && releases.size + yanked.length === 0) throw new Error('no version can be read');
  return withReleases('crates.io', { releases, yanked });
}

function dependenciesOf(deps: unknown): ReleaseFacts['dependencies'] {
  const parsed = dependenciesSchema.safeParse(deps);
  if (!parsed.success) return null;
  const built = parsed.data.filter(({ kind }) => kind !== 'dev');
  return rangesOf(
    'crates.io',
    built.map(({ name, package: real, req }) => [real ?? name, req]),
  );
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
