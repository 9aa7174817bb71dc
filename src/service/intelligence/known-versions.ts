import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import type { Affected } from '../matching/affected.js';
import { withOrdering } from '../matching/versions/index.js';

/** What the versions that we hold say about one version. */
export interface VersionKnowledge {
  /** Exactly this version is in `tracked`. */
  readonly tracked: boolean;
  /** The highest version known: of any bound of an advisory, or tracked. */
  readonly highest: string | null;
  /** The version is above the highest one known, or none is known. Null where it cannot be compared with them. */
  readonly above: boolean | null;
}

/** `entries`: of all advisories of the package. `tracked`: versions in the organisation's stacks. */
export function knownVersions(
  ecosystem: Ecosystem,
  version: string,
  { entries, tracked }: { readonly entries: readonly Affected[]; readonly tracked: readonly string[] },
): VersionKnowledge {
  return withOrdering(ecosystem, (ordering) => {
    const asked = ordering.parse(version);
    const parsedOf = (texts: Iterable<string>) =>
      [...new Set(texts)].flatMap((text) => {
        const parsed = ordering.parse(text);
        return parsed === null ? [] : [{ text, parsed }];
      });
    const held = parsedOf(tracked);
    const highest = [...held, ...parsedOf(entries.flatMap(versionsOf))].reduce<(typeof held)[number] | null>(
      (best, each) => (best === null || ordering.compare(each.parsed, best.parsed) > 0 ? each : best),
      null,
    );
    return {
      tracked:
        asked === null ? tracked.includes(version) : held.some(({ parsed }) => ordering.compare(parsed, asked) === 0),
      highest: highest?.text ?? null,
      above: asked === null ? null : highest === null || ordering.compare(asked, highest.parsed) > 0,
    };
  });
}

function versionsOf({ ranges, versions }: Affected): string[] {
  const bounds = ranges.flatMap(({ events }) => events.flatMap((event) => Object.values(event)));
  // "0" stands for the beginning of all versions.
  return [...versions, ...bounds.filter((bound) => bound !== '0')];
}
