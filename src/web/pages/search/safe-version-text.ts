import type { RouterOutputs } from '../../../client/index.js';
import { calendarDate } from '../../components/format/format.js';

type Answer = RouterOutputs['intelligence']['checkPackage'];
interface Checked extends Pick<Answer, 'safe_version' | 'safe_version_status'> {
  readonly as_of: Pick<Answer['as_of'], 'advisories'>;
  readonly coverage: Pick<Answer['coverage'], 'feeds'>;
}

/** The version to take, and of which day the advisories are that say so; else why there is none. */
export function safeVersionText({
  safe_version: version,
  safe_version_status: status,
  as_of,
  coverage,
}: Checked): string {
  const day = as_of.advisories === null ? null : calendarDate(as_of.advisories.toISOString().slice(0, 10));
  if (version !== null) {
    const doubt = status === 'unverified' ? ', if it was published' : '';
    return `Nearest safe version: ${version}${doubt}${day === null ? '' : `, by the advisories of ${day}`}.`;
  }
  return coverage.feeds.some(({ stale }) => stale)
    ? `No version is called safe${day === null ? ' without all advisories' : `: the advisories are of ${day}`}.`
    : 'No version is known to be safe.';
}
