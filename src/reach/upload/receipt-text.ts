import type { Receipt } from '../../procedures/receipt.js';
import { formatCount, wordList } from '../../shared/text/number-text.js';
import { plainText } from '../../shared/text/plain-text.js';

type LeftOutKind = Receipt['left_out'][number]['kind'];

const kindNames = {
  misconfigurations: 'misconfigurations',
  secrets: 'secrets',
  licences: 'licences',
  passed: 'passed checks',
  system_packages: 'system packages',
  other: 'others',
} as const satisfies Record<LeftOutKind, string>;

/** What became of the rows of an upload, as lines for people. Nothing is said of a number that is zero, but of the first two. */
export function receiptLines({ rows, taken, merged, skipped, skipped_rows, left_out }: Receipt): string[] {
  const parts = [`${formatCount(taken)} taken`];
  if (merged > 0) parts.push(`${formatCount(merged)} merged with one of them`);
  if (skipped > 0) parts.push(`${formatCount(skipped)} skipped`);
  const kinds = left_out.map(({ kind, count }) => `${formatCount(count)} ${kindNames[kind]}`);
  if (kinds.length > 0) parts.push(`left out: ${wordList(kinds, 'and')}`);
  const lines = [`  rows: ${formatCount(rows)}, of them ${parts.join(', ')}`];
  if (skipped === 0) return lines;
  lines.push('  skipped; what else is missing beside these is not counted as fixed:');
  lines.push(...skipped_rows.map(({ pointer, reason }) => `    ${plainText(pointer, 200)}: ${plainText(reason, 300)}`));
  if (skipped > skipped_rows.length) lines.push('    …');
  return lines;
}
