interface Changes {
  readonly new: number;
  readonly resolved: number;
  readonly open: number;
}

/**
 * One line of plain text on the RED findings of the last 7 days, such as "RED 12 -> 9 over 7 days: 4 new, 7 resolved".
 * Tiers are those of today, also for findings that were open then. Domains that could not answer are named, because their
 * findings are missing.
 */
export function trendLine(reds: readonly Changes[], missing: readonly string[]): string {
  if (reds.length === 0) return 'not known: no domain could answer';
  const total = { new: 0, resolved: 0, open: 0 };
  for (const red of reds) {
    total.new += red.new;
    total.resolved += red.resolved;
    total.open += red.open;
  }
  const before = total.open - total.new + total.resolved;
  const without = missing.length === 0 ? '' : ` (without ${missing.join(', ')})`;
  return `RED ${before} -> ${total.open} over 7 days: ${total.new} new, ${total.resolved} resolved${without}`;
}
