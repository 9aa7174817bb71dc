import type { KeyboardEvent } from 'react';

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

/** Moves the focus between the links of rows (`data-row-link`), and selects the row by `x`. Typing in a field stays typing. */
export function moveByKey(event: KeyboardEvent<HTMLTableElement>): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { target } = event;
  if (!(target instanceof HTMLElement) || target.matches('select, textarea, input:not([type="checkbox"])')) return;
  const row = target.closest('tr[data-row]');
  if (event.key === 'x') {
    row?.querySelector<HTMLInputElement>('input[type="checkbox"]')?.click();
    return;
  }
  const step = steps[event.key];
  if (step === undefined) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row-link]')];
  const at = row === null ? -1 : links.findIndex((link) => row.contains(link));
  const next = links[at + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
  next.scrollIntoView({ block: 'nearest' });
}
