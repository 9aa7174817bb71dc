import { type Check, type OwaspRow, owaspRows } from './check.js';

/** Failures that one check shows in the table; `--json` has all. */
const maxDetails = 12;

/** What one row came to: failed if any check did, held if any held and none failed. */
function outcomeOfRow(checks: readonly Check[], row: OwaspRow): Check['outcome'] {
  const outcomes = checks.filter((check) => check.row === row).map(({ outcome }) => outcome);
  if (outcomes.includes('failed')) return 'failed';
  return outcomes.includes('held') ? 'held' : 'not tried';
}

/** The table by row of the OWASP API Security Top 10, as text. */
export function reportText(checks: readonly Check[]): string {
  const lines = rowsOf().flatMap(([row, title]) => {
    const own = checks.filter((check) => check.row === row);
    return [`${row.padEnd(6)} ${outcomeOfRow(checks, row).padEnd(10)} ${title}`, ...own.flatMap(linesOf), ''];
  });
  return lines.join('\n');
}

/** The same for programs. */
export function reportJson(checks: readonly Check[], about: Readonly<Record<string, unknown>>): string {
  const rows = rowsOf().map(([row, title]) => {
    const own = checks.filter((check) => check.row === row).map(({ row: _, ...check }) => check);
    return { row, title, outcome: outcomeOfRow(checks, row), checks: own };
  });
  return `${JSON.stringify({ ...about, rows }, null, 2)}\n`;
}

function rowsOf(): [OwaspRow, string][] {
  const names: readonly OwaspRow[] = ['API1', 'API2', 'API3', 'API4', 'API5', 'API6', 'API7', 'API8', 'API9', 'API10'];
  return names.map((name) => [name, owaspRows[name]]);
}

function linesOf({ name, outcome, figures, details }: Check): string[] {
  const shown = details.slice(0, maxDetails).map((detail) => `           - ${detail}`);
  const more = details.length > maxDetails ? [`           - and ${details.length - maxDetails} more`] : [];
  return [
    `         ${outcome === 'held' ? '+' : outcome === 'failed' ? '!' : '?'} ${name}${figures === '' ? '' : `: ${figures}`}`,
    ...shown,
    ...more,
  ];
}
