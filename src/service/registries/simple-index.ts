import * as z from 'zod';
import { type Listing, versionsOnly } from './listing.js';

const indexSchema = z.object({ versions: z.array(z.string()), files: z.array(z.unknown()).default([]) });
/** `yanked` may be the reason. */
const fileSchema = z.object({ filename: z.string(), yanked: z.union([z.boolean(), z.string()]).default(false) });

/**
 * Files are yanked one by one. A version counts as yanked where all its files are.
 * https://peps.python.org/pep-0700/ and https://peps.python.org/pep-0592/
 */
export function readSimpleIndex(text: string): Listing {
  const { versions, files } = indexSchema.parse(JSON.parse(text));
  const states = new Map<string, boolean>();
  for (const file of files) {
    const parsed = fileSchema.safeParse(file);
    const version = parsed.success ? versionOf(parsed.data.filename) : null;
    if (!parsed.success || version === null) continue;
    states.set(version, (states.get(version) ?? true) && parsed.data.yanked !== false);
  }
  const isYanked = (version: string) => states.get(version) === true;
  const kept = versionsOnly(versions.filter((version) => !isYanked(version)));
  return { ...kept, yanked: versionsOnly(versions.filter(isYanked)).versions };
}

/** `name-1.0-py3-none-any.whl` or `name-1.0.tar.gz`; null for another kind of file. */
function versionOf(filename: string): string | null {
  const [, wheel, source] = /^[^-]+-([^-]+)-.+\.whl$|^.+-([^-]+)\.(?:tar\.gz|tar\.bz2|zip|tgz)$/.exec(filename) ?? [];
  return wheel ?? source ?? null;
}
