import * as z from 'zod';
import { isRecord } from '../../shared/json/is-record.js';
import { type Listing, type ReleaseFacts, rangesOf, versionText, withReleases } from './listing.js';

const documentSchema = z.object({
  packages: z.record(z.string(), z.array(z.unknown())),
  minified: z.literal('composer/2.0').optional(),
});
const releaseSchema = z.object({
  version: versionText,
  require: z.unknown().optional(),
  abandoned: z.unknown().optional(),
});

/** https://packagist.org/apidoc#get-package-data */
export function readPackagistDocument(text: string): Listing {
  const { packages, minified } = documentSchema.parse(JSON.parse(text));
  const releases = new Map<string, ReleaseFacts>();
  for (const list of Object.values(packages)) {
    for (const each of minified === undefined ? list : expanded(list)) {
      const parsed = releaseSchema.safeParse(each);
      if (!parsed.success) continue;
      const { version, require, abandoned } = parsed.data;
      const deprecated = abandoned === true || (typeof abandoned === 'string' && abandoned !== '');
      releases.set(version, { dependencies: dependenciesOf(require), deprecated, node: null });
    }
  }
  return withReleases('Packagist', { releases });
}

/**
 * Each release inherits what the one before it says and it does not. As composer/metadata-minifier writes them; after a release that
 * cannot be read nothing is inherited, so that what it may have changed is not known.
 */
function expanded(list: readonly unknown[]): readonly Readonly<Record<string, unknown>>[] {
  let last: Readonly<Record<string, unknown>> = {};
  return list.map((each) => {
    if (!isRecord(each)) last = { require: null };
    else last = Object.fromEntries(Object.entries({ ...last, ...each }).filter(([, value]) => value !== '__unset'));
    return isRecord(each) ? last : {};
  });
}

/** The platform's own parts, such as `php` and `ext-json`, have no slash and are no packages. PHP writes an empty object as a list. */
function dependenciesOf(require: unknown): ReleaseFacts['dependencies'] {
  if (require === undefined || (Array.isArray(require) && require.length === 0)) return {};
  if (!isRecord(require)) return null;
  return rangesOf(
    'Packagist',
    Object.entries(require).filter(([name]) => name.includes('/')),
  );
}
