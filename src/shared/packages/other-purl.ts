/** Characters. Real package URLs are far shorter; the limit bounds the work on hostile ones. */
const maxLength = 1024;

const shape = /^pkg:\/*([a-z][a-z0-9.+-]*)\/+([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/i;

/** A package URL of any type, canonical (ECMA-427), and the names that it is made of. */
export interface OtherPurl {
  readonly purl: string;
  readonly type: string;
  readonly namespace: string | null;
  readonly name: string;
  readonly version: string | null;
}

/**
 * Reads a package URL of a type that need not be known: rules of single types are not applied. Null where it is malformed.
 */
export function readOtherPurl(text: string): OtherPurl | null {
  const [, type = '', path = '', qualifiers = '', subpath = ''] =
    text.length > maxLength ? [] : (shape.exec(text) ?? []);
  const segments = path.split('/').filter((segment) => segment !== '');
  const last = segments.pop() ?? '';
  const at = last.indexOf('@', 1);
  const name = decode(at === -1 ? last : last.slice(0, at));
  const version = at === -1 ? '' : decode(last.slice(at + 1));
  const names = segments.map(decode);
  const pairs = readQualifiers(qualifiers);
  const parts = subpath
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .map(decode);
  const isWhole = <Text>(texts: readonly (Text | null)[]): texts is readonly Text[] => !texts.includes(null);
  if (!name || version === null || pairs === null || !isWhole(names) || !isWhole(parts)) return null;
  const kind = type.toLowerCase();
  const purl = [
    `pkg:${[kind, ...names.map(encode), encode(name)].join('/')}`,
    version === '' ? '' : `@${encode(version)}`,
    pairs.length === 0 ? '' : `?${pairs.map(([key, value]) => `${key}=${encode(value)}`).join('&')}`,
    parts.length === 0 ? '' : `#${parts.map(encode).join('/')}`,
  ].join('');
  return purl.length > maxLength
    ? null
    : { purl, type: kind, namespace: names.join('/') || null, name, version: version || null };
}

/** Sorted by key; those without a value are left out. */
function readQualifiers(text: string): (readonly [string, string])[] | null {
  const pairs = new Map<string, string>();
  for (const pair of text.split('&')) {
    const [, key = '', raw = ''] = /^([a-z][a-z0-9._-]*)=(.*)$/i.exec(pair) ?? [];
    const value = decode(raw);
    if (value === null || (key === '' && pair !== '' && !pair.endsWith('='))) return null;
    if (key !== '' && value !== '') pairs.set(key.toLowerCase(), value);
  }
  return [...pairs].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Null also for text with spaces around it or control characters: no registry has such names. */
function decode(text: string): string | null {
  try {
    const decoded = decodeURIComponent(text);
    return /[\p{Cc}\p{Surrogate}]/u.test(decoded) || decoded !== decoded.trim() ? null : decoded;
  } catch {
    return null;
  }
}

/** Percent-encoding of ECMA-427, 5.4: letters, digits and `.-_~` stay, and so does the colon. */
function encode(text: string): string {
  return encodeURIComponent(text)
    .replaceAll('%3A', ':')
    .replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
