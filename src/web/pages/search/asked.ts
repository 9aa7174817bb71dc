import { vulnerabilityIdsIn } from '../../../shared/vulnerability-id.js';

/** What a text asks for, besides everything with that name. */
export type Asked =
  | { readonly kind: 'vulnerability'; readonly id: string }
  | { readonly kind: 'purl'; readonly purl: string }
  | { readonly kind: 'version'; readonly name: string; readonly version: string }
  | { readonly kind: 'name' };

/** `CVE-2021-44228`, `pkg:npm/lodash@4.17.11`, `lodash@4.17.11`, or any part of a name. */
export function askedBy(text: string): Asked {
  const given = text.trim();
  const [id] = vulnerabilityIdsIn(given, 1);
  if (id !== undefined && id.length === given.length) return { kind: 'vulnerability', id };
  if (/^pkg:[a-z0-9.+-]+\/.+@[^@/]+$/i.test(given)) return { kind: 'purl', purl: given };
  const [, name, version] = /^(@?[^@\s]+)@(\d[^@\s]*|v\d[^@\s]*)$/.exec(given) ?? [];
  return name === undefined || version === undefined ? { kind: 'name' } : { kind: 'version', name, version };
}

/** The text whose names are searched for: a version is no part of a name. */
export function nameIn(text: string): string {
  const asked = askedBy(text);
  return asked.kind === 'version' ? asked.name : text.trim();
}
