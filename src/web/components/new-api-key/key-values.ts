import type { RouterInputs } from '../../../client/index.js';
import { textsOf } from '../choices/choices.js';
import { textOf } from '../field/field.js';

const dayMs = 86_400_000;

/** Days that a key may live, as the form offers them. */
export const lifetimes = { 7: '7 days', 30: '30 days', 90: '90 days', 365: 'a year' } as const;

/** What the form says, as the procedure takes it. */
export function newKeyOf(values: FormData, now: Date): RouterInputs['apiKeys']['create'] {
  const expires_at = expiryOf(values, now);
  const projects = textsOf(values, 'project_ids');
  return {
    name: textOf(values, 'name'),
    scope: textOf(values, 'scope') === 'ReadWrite' ? 'ReadWrite' : 'ReadOnly',
    ...(expires_at !== null && { expires_at }),
    ...(textOf(values, 'reach') === 'some' && { project_ids: projects }),
  };
}

/** Null: never. A date ends with that day in the reader's zone. */
function expiryOf(values: FormData, now: Date): string | null {
  const chosen = textOf(values, 'lifetime');
  if (chosen === 'never') return null;
  if (chosen === 'date') {
    const end = new Date(`${textOf(values, 'expires_at')}T23:59:59`);
    return Number.isNaN(end.getTime()) ? '' : end.toISOString();
  }
  return new Date(now.getTime() + Number(chosen) * dayMs).toISOString();
}
