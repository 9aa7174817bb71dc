import type { SarifResult } from './log.js';

/** The parts of a result that its identity is made of. */
export interface Placed {
  readonly result: SarifResult;
  readonly ruleId: string;
  readonly path: string | null;
  readonly message: string;
}

/**
 * Partial fingerprints that hash only the code at the finding, which other changes leave as it is. Others are known to hash
 * the whole file, the commit or its author (`scanFileHash`, gitleaks' `commitSha`), and an unknown one may.
 */
const stablePartial = ['primaryLocationLineHash', 'contextRegionHash', 'prohibitedWordHash'];

/** A hash or an id. Semgrep's free edition writes "requires login" instead. */
const fingerprintForm = /^[\w+/=:.-]{8,1024}$/;

/**
 * What identifies a result in the next scan, best first: the tool's own fingerprint; a partial fingerprint with rule and
 * file; the code itself with rule and file; the message with rule and file. None of them has a line number. Numbers in the
 * message do not count either: tools write lines and counts there.
 */
export function identityParts({ result, ruleId, path, message }: Placed): (string | null)[] {
  // The first key by name: when a tool adds `…/v2`, `…/v1` still decides.
  const [key, own] = usable(result.fingerprints, () => true);
  if (key !== undefined) return ['fingerprint', ruleId, key, own ?? null];
  const [name, partial] = usable(result.partialFingerprints, (each) =>
    stablePartial.includes(each.replace(/\/v\d+$/, '')),
  );
  if (name !== undefined) return ['partial', ruleId, path, name, partial ?? null];
  const code = codeOf(result);
  if (code !== '') return ['code', ruleId, path, code];
  return ['message', ruleId, path, message.replace(/\d+/g, '#')];
}

function usable(
  fingerprints: SarifResult['fingerprints'],
  isAllowed: (key: string) => boolean,
): [key?: string, value?: string] {
  return (
    Object.entries(fingerprints)
      .filter((entry): entry is [string, string] => isAllowed(entry[0]) && fingerprintForm.test(entry[1] ?? ''))
      .sort(([a], [b]) => (a < b ? -1 : 1))[0] ?? []
  );
}

/** The code at the finding; the code around it only where a report has nothing closer. Indentation does not count. */
function codeOf({ locations }: SarifResult): string {
  const { region, contextRegion } = locations[0]?.physicalLocation ?? {};
  const code = region?.snippet?.text ?? contextRegion?.snippet?.text ?? '';
  return code.replace(/\s+/g, ' ').trim();
}
