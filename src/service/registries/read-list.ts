import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { type Listing, unknownRelease } from './listing.js';
import { registries } from './registry.js';
import { writeRuns } from './release-runs.js';

/** What is kept of a registry's document. */
export interface KeptList extends Omit<Listing, 'releases'> {
  /** As `writeRuns` writes it, in the order of `versions`; null where nothing is known of releases. */
  readonly releases: string | null;
}

export const noList: KeptList = { versions: [], yanked: [], latest: null, releases: null };

/** A registry's document about a package. */
export interface ListDocument {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly body: Uint8Array;
}

/** Bytes of JSON. Only packages with some thousand pre-releases have more; the facts of their oldest ones are left out. */
const maxReleaseBytes = 300_000;

/** Throws for a document of another shape. */
export function readList({ ecosystem, name, body }: ListDocument): KeptList {
  const listing = registries[ecosystem].list(name).read(Buffer.from(body).toString('utf8'));
  const { versions, releases } = listing;
  const facts = releases && versions.map((version) => releases.get(version) ?? unknownRelease);
  return { ...listing, releases: facts && writeRuns(facts, maxReleaseBytes) };
}
