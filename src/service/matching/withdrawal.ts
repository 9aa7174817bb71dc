import type { OsvRecord } from './osv-record.js';

/** A title that begins or ends with the word: `Withdrawn: …`, `Duplicate Advisory: …`, `… (withdrawn)`. */
const titles = [
  /^[^\p{L}\p{N}]*(?:withdrawn(?: advisory)?|duplicate advisory)\s*(?:[:\])]|\s[-–—]\s|$)/iu,
  /[([]withdrawn[)\]]\s*$/i,
  /^[^\p{L}\p{N}]*reject(?:ed)?(?: reason)?\s*:/iu,
  /^\s*\*\* ?reject ?\*\*/i,
];

/** How a text begins: with a label, or with NVD's words for a rejected CVE. */
const openings = [
  /^[\s*_(>]*withdrawn(?: advisory)?[\s*_]*(?:[:.]|,\s+(?:an? )?(?:accidental |duplicate)|$)/i,
  /^[\s*_(>]*withdrawn (?:by|because|due to|at the request|in favou?r)\b/i,
  /^\s*(?:\*\* ?reject ?\*\*|reject(?:ed)? reason\s*:)/i,
];

/**
 * A heading that says nothing else, or gives the reason after a colon. GHSA and RustSec put it anywhere. Runs of spaces are
 * bounded here and below, so that a long one costs no more than it is long.
 */
const heading =
  /^[ \t]{0,8}#{1,6}[ \t]{0,8}(?:(?:(?:cve|advisory) has been )?withdrawn|withdrawn advisory|withdrawal|duplicate advisory)[ \t*_]{0,8}(?::|\.?[ \t\r]{0,8}$)/im;

/** A sentence about the record itself, not about one in another database or an earlier version. */
const sentences = [
  /(?:^|[.(>#*_\n]\s{0,8})this (?:security |vulnerability )?(?:advisory|report|record|entry|ghsa|cve(?: id| record| entry)?|candidate)\s(?:(?:has been|was|is|is now|has now been) (?:withdr?awn|retracted|rejected(?! by (?:the |its )?(?:vendor|supplier|developer|maintainer|author|project|upstream)))|is a duplicate of)\b(?<rest>[^.\n]*)/i,
  // Of a flaw, only `withdrawn` speaks of the record: a patch or a request can be rejected too.
  /(?:^|[.(>#*_\n]\s{0,8})this (?:vulnerability|issue)\s[^.\n]{0,80}?(?:has been|was|is) withdrawn\b(?<rest>[^.\n]*)/i,
];

/** A record that was withdrawn and is valid again. */
const taken = /\b(?:reinstat|restor|republish|re-publish|reopen|later confirmed|in error)/i;

/**
 * When a record was withdrawn: OSV's own field, or else its last change where only its title or text says so. Raw records of
 * GHSA and exports of other databases often lack the field. Null for a record that counts.
 *
 * A record about something withdrawn, as in "metadata of withdrawn items", counts.
 */
export function withdrawalOf({ withdrawn, modified, summary, details }: OsvRecord): Date | null {
  if (withdrawn) return withdrawn;
  return titles.some((title) => title.test(summary ?? '')) || saysWithdrawn(details ?? '') ? modified : null;
}

function saysWithdrawn(details: string): boolean {
  if (openings.some((opening) => opening.test(details)) || heading.test(details)) return true;
  return sentences.some((sentence) => {
    const found = sentence.exec(details);
    return found !== null && !taken.test(found.groups?.['rest'] ?? '');
  });
}
