import type { FindingSeverity } from '../../../shared/vulnerability-terms.js';

/** SARIF 2.1.0, 3.27.9 and 3.27.10. */
export type Kind = 'pass' | 'open' | 'informational' | 'notApplicable' | 'review' | 'fail';
export type Level = 'none' | 'note' | 'warning' | 'error';

const kinds: readonly Kind[] = ['pass', 'open', 'informational', 'notApplicable', 'review', 'fail'];

/** A word as a kind; `fail`, the default of the standard, for any other word. */
export function kindOf(word: unknown): Kind {
  const lower = String(word).toLowerCase();
  return kinds.find((kind) => kind.toLowerCase() === lower) ?? 'fail';
}

/** Words of other scales that tools write for a level. */
const levelOfWord: Readonly<Record<string, Level>> = {
  critical: 'error',
  fatal: 'error',
  high: 'error',
  moderate: 'warning',
  medium: 'warning',
  warn: 'warning',
  low: 'note',
  info: 'note',
  information: 'note',
  informational: 'note',
  hint: 'note',
  ignore: 'none',
  off: 'none',
};

/** A word as a level; null for a word that says nothing, so that the rule decides. */
export function levelOf(word: unknown): Level | null {
  if (typeof word !== 'string') return null;
  const lower = word.toLowerCase();
  if (lower === 'none' || lower === 'note' || lower === 'warning' || lower === 'error') return lower;
  return Object.hasOwn(levelOfWord, lower) ? (levelOfWord[lower] ?? null) : null;
}

/** A word of any scale as a severity; null for a word that says nothing. */
export function severityOfWord(word: string): FindingSeverity | null {
  if (word.toLowerCase() === 'critical') return 'critical';
  const level = levelOf(word);
  return level === null ? null : severityOfLevel[level];
}

const severityOfLevel = {
  error: 'high',
  warning: 'medium',
  note: 'low',
  none: 'info',
} as const satisfies Record<Level, FindingSeverity>;

/**
 * Severity of a result:
 *
 * | severity | from `security-severity` | else from `level` |
 * | -------- | ------------------------ | ----------------- |
 * | critical | 9.0 to 10                |                   |
 * | high     | 7.0 to 8.9               | error             |
 * | medium   | 4.0 to 6.9               | warning           |
 * | low      | above 0 to 3.9           | note              |
 * | info     | 0                        | none              |
 *
 * `security-severity` is GitHub's property, on CVSS's scale. A result that did not fail (`open`, `review`, `informational`)
 * is no weakness by itself, whatever its rule says.
 */
export function sarifSeverity(kind: Kind, securitySeverity: number | null, level: Level): FindingSeverity {
  if (kind !== 'fail') return 'info';
  if (securitySeverity === null) return severityOfLevel[level];
  if (securitySeverity >= 9) return 'critical';
  if (securitySeverity >= 7) return 'high';
  if (securitySeverity >= 4) return 'medium';
  return securitySeverity > 0 ? 'low' : 'info';
}

/** The first of these values of GitHub's property that is a number from 0 to 10; it is usually written as text. */
export function securitySeverity(...values: readonly unknown[]): number | null {
  for (const value of values) {
    const score = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof score === 'number' && score >= 0 && score <= 10) return score;
  }
  return null;
}
