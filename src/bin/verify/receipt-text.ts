import type { ReceiptClaims, ReceiptKey, ReceiptSources } from '../../procedures/signed-receipt.js';
import { stripInvisible } from '../../shared/text/invisible-characters.js';
import { atSecond } from './check-receipt.js';

/** A good receipt in words. */
export function receiptText(claims: ReceiptClaims, key: ReceiptKey): string {
  const { question, coverage, sources } = claims;
  const domains = coverage.domains.map(({ domain, status }) => `${domain} ${status}`);
  const lines: readonly (readonly [string, string])[] = [
    ['Signed by', `${claims.iss} (Postern ${claims.postern}), key ${key.kid} of ${atSecond(key.iat)}`],
    ['At', atSecond(claims.iat)],
    ['Receipt', claims.jti],
    ['Organisation', claims.sub],
    ['Question', `${question.procedure} ${JSON.stringify(question.input)}`],
    ['Answer', `${coverage.status}: ${domains.join(', ')}`],
    ['Who asked', sightOf(claims)],
    ...claims.feeds.map(({ name, version, as_of, sha256 }): [string, string] => [
      'Advisories',
      `${[name, version].filter((part) => part !== null).join(' ')} of ${as_of?.toISOString() ?? 'unknown'}, sha256 ${sha256}`,
    ]),
    ...(sources ?? []).flatMap(sourceLines),
  ];
  const width = Math.max(...lines.map(([name]) => name.length));
  const rows = lines.map(([name, text]) => `  ${name.padEnd(width)}  ${plain(text)}\n`);
  return `The receipt is good. It says what was known then, and nothing of what became known later.\n${rows.join('')}`;
}

function sightOf({ sees_only: only }: ReceiptClaims): string {
  if (only === null) return 'saw all projects of the organisation';
  const named = [...(only.projects ?? []), ...(only.groups ?? []).map((group) => `group ${group}`)];
  return `saw only ${named.length === 0 ? 'no project' : named.join(', ')}`;
}

function sourceLines({ domain, count, sha256, oldest }: ReceiptSources): [string, string][] {
  const each = oldest.map(({ project_id, source, at, digest }): [string, string] => [
    '',
    `${project_id} ${source} of ${at.toISOString()}${digest === '' ? '' : `, ${digest}`}`,
  ]);
  const rest = count > oldest.length ? ', the oldest being' : '';
  return [['Sources', `${domain}: ${count}, sha256 ${sha256}${rest}`], ...each];
}

/** Names of sources are of outsiders: none may rule the terminal. */
function plain(text: string): string {
  return stripInvisible(text).replace(/\p{Cc}/gu, ' ');
}
