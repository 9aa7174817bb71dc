import * as z from 'zod';
import { packageKey, packageName } from '../../shared/packages/package-name.js';
import { normaliseName } from '../../shared/packages/purl.js';
import { matchedEcosystem } from '../matching/advisory.js';

/** A record that names more counts as one about any package. */
const maxPackages = 100;

const namingSchema = z.object({
  affected: z.array(z.object({ package: z.object({ ecosystem: z.string(), name: z.string() }).nullish() })),
});

/**
 * The packages that an unusable OSV record names, as far as an answer could be about them. Null where they cannot be read:
 * then the record may be about any package.
 */
export function namedPackages(value: unknown): readonly string[] | null {
  const named = namingSchema.safeParse(value);
  if (!named.success || named.data.affected.length === 0) return null;
  const keys = new Set<string>();
  for (const { package: each } of named.data.affected) {
    if (!each) return null;
    const ecosystem = matchedEcosystem(each.ecosystem);
    if (ecosystem === null) continue;
    const name = packageName.safeParse(normaliseName(ecosystem, each.name));
    // Nobody can ask for another name, but this one may be a misspelt one.
    if (!name.success) return null;
    keys.add(packageKey({ ecosystem, package_name: name.data }));
  }
  return keys.size > maxPackages ? null : [...keys];
}
