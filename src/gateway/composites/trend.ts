import type { Domain } from '../../procedures/risk.js';
import { joinOwn, type Own, own } from '../../shared/text/own.js';

interface Changes {
  /** Open findings when the window began. */
  readonly before: number;
  readonly new: number;
  readonly reopened: number;
  readonly resolved: number;
  readonly open: number;
}

/**
 * One line of plain text on the RED findings of the last 7 days, such as "RED 12 -> 9 over 7 days: 4 new, 1 reopened, 8
 * resolved". Tiers are those of today, also for findings that were open then. A finding that came and went counts as new and
 * as resolved. Domains that could not answer are named, because their findings are missing.
 */
export function trendLine(reds: readonly Changes[], missing: readonly Domain[]): Own {
  if (reds.length === 0) return own`not known: no domain could answer`;
  const sumOf = (key: keyof Changes) => reds.reduce((sum, red) => sum + red[key], 0);
  const domains = joinOwn(
    missing.map((domain) => own`${domain}`),
    ', ',
  );
  const without = missing.length === 0 ? own`` : own` (without ${domains})`;
  const changes = own`${sumOf('new')} new, ${sumOf('reopened')} reopened, ${sumOf('resolved')} resolved`;
  return own`RED ${sumOf('before')} -> ${sumOf('open')} over 7 days: ${changes}${without}`;
}
