import * as z from 'zod';
import { isRecord } from '../../shared/json/is-record.js';
import { type Listing, type ReleaseFacts, rangesOf, shortText, versionText, withReleases } from './listing.js';

const documentSchema = z.object({ versions: z.record(z.string(), z.unknown()), 'dist-tags': z.unknown().optional() });
const rangesSchema = z.record(z.string(), z.unknown()).default({});
const dependenciesSchema = z.object({ dependencies: rangesSchema, optionalDependencies: rangesSchema });

/** https://github.com/npm/registry/blob/main/docs/responses/package-metadata.md */
export function readNpmDocument(text: string): Listing {
  const document = documentSchema.parse(JSON.parse(text));
  const releases = new Map<string, ReleaseFacts>();
  for (const [version, manifest] of Object.entries(document.versions)) {
    if (versionText.safeParse(version).success) releases.set(version, factsOf(manifest));
  }
  const tags = document['dist-tags'];
  const latest = isRecord(tags) && typeof tags['latest'] === 'string' ? tags['latest'] : null;
  return withReleases('npm', { releases, latest });
}

function factsOf(manifest: unknown): ReleaseFacts {
  const { deprecated, engines } = isRecord(manifest) ? manifest : {};
  const node = shortText.safeParse(isRecord(engines) ? engines['node'] : null);
  return {
    dependencies: dependenciesOf(manifest),
    // A maintainer takes a notice back by an empty one.
    deprecated: deprecated === true || (typeof deprecated === 'string' && deprecated !== ''),
    node: node.success ? node.data : null,
  };
}

function dependenciesOf(manifest: unknown): ReleaseFacts['dependencies'] {
  const parsed = dependenciesSchema.safeParse(manifest);
  if (!parsed.success) return null;
  // A package that is in both is optional, by the range that stands there.
  const ranges = Object.entries({ ...parsed.data.dependencies, ...parsed.data.optionalDependencies });
  return rangesOf('npm', ranges.map(resolveAlias));
}

/** `npm:lodash@^4.0.0` asks for lodash, whatever its folder is called. */
function resolveAlias([name, range]: readonly [string, unknown]): readonly [string, unknown] {
  if (typeof range !== 'string' || !range.startsWith('npm:')) return [name, range];
  const target = range.slice('npm:'.length);
  // The first character may be the @ of a scope.
  const end = target.indexOf('@', 1);
  return end === -1 ? [target, '*'] : [target.slice(0, end), target.slice(end + 1) || '*'];
}
