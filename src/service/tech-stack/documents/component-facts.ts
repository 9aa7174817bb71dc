import deprecated from 'spdx-license-ids/deprecated.json' with { type: 'json' };
import current from 'spdx-license-ids/index.json' with { type: 'json' };
import { onOneLine } from '../../../shared/text/cut.js';
import type { ComponentHash, Licence } from '../../db/tables/projects.js';

/** Licences and digests of one component; real ones have a handful. */
const maxFacts = 20;

/** Characters of a licence's name or expression, and of a supplier. */
const maxLicence = 500;
const maxSupplier = 200;

/** Words for "nothing is said" (SPDX 2.3, 7.13). */
const noWords: ReadonlySet<string> = new Set(['', 'NOASSERTION', 'NONE']);

/** Deprecated identifiers that the library leaves out, because they are expressions too. */
const orLater = ['GPL-1.0+', 'GPL-2.0+', 'GPL-3.0+', 'LGPL-2.0+', 'LGPL-2.1+', 'LGPL-3.0+'];

/** The identifiers of the SPDX licence list (https://spdx.org/licenses/). */
export const licenceIds: ReadonlySet<string> = new Set([...current, ...deprecated, ...orLater]);

/** A licence from what a document calls its id, name or expression: its id where SPDX has one. Null where it says nothing. */
export function toLicence(text: string | undefined, isExpression = false): Licence | null {
  const words = onOneLine(text ?? '', maxLicence);
  if (noWords.has(words)) return null;
  if (licenceIds.has(words)) return { id: words };
  return isExpression && words === text ? { expression: words } : { name: words };
}

/** Each licence once. */
export function distinctLicences(given: readonly (Licence | null)[]): Licence[] {
  const licences = given.filter((licence) => licence !== null);
  return [...new Map(licences.map((licence) => [JSON.stringify(licence), licence])).values()].slice(0, maxFacts);
}

/** CycloneDX 1.6's names of digests, and how many hexadecimal digits they have. */
const digests = new Map(
  Object.entries({
    MD5: 32,
    'SHA-1': 40,
    'SHA-256': 64,
    'SHA-384': 96,
    'SHA-512': 128,
    'SHA3-256': 64,
    'SHA3-384': 96,
    'SHA3-512': 128,
    'BLAKE2b-256': 64,
    'BLAKE2b-384': 96,
    'BLAKE2b-512': 128,
    BLAKE3: 64,
  }).map(([alg, digits]) => [plainName(alg), { alg, digits }]),
);

/** `SHA-256`, `SHA256` and `sha3_256`: each format has its own spelling. */
function plainName(alg: string): string {
  return alg.toLowerCase().replaceAll(/[-_]/g, '');
}

/** The digests that CycloneDX knows, each algorithm once. Others are left out. */
export function distinctHashes(
  given: readonly { readonly alg?: string | undefined; readonly content?: string | undefined }[],
): ComponentHash[] {
  const hashes = new Map<string, ComponentHash>();
  for (const { alg = '', content = '' } of given.slice(0, maxFacts)) {
    const known = digests.get(plainName(alg));
    const isDigest = known !== undefined && content.length === known.digits && /^[0-9a-f]+$/i.test(content);
    if (isDigest && !hashes.has(known.alg)) hashes.set(known.alg, { alg: known.alg, content: content.toLowerCase() });
  }
  return [...hashes.values()].sort((a, b) => (a.alg < b.alg ? -1 : 1));
}

/** A supplier's name. SPDX puts what it is before the name (`Organization: `). */
export function toSupplier(text: string | undefined): string | null {
  const name = onOneLine(
    (text ?? '').slice(0, 4 * maxSupplier).replace(/^\s*(?:Organization|Person|Tool):/, ''),
    maxSupplier,
  );
  return noWords.has(name) ? null : name;
}
