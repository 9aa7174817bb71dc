import { isKnownPurlType, parsePurl, purlType } from './purl.js';

/** Why a text is no package URL that names a version of a package. */
export function purlFault(
  text: string,
): 'not_a_purl' | 'purl_type' | 'scope_without_at' | 'purl_name' | 'purl_version' {
  const type = purlType(text);
  if (type === null) return 'not_a_purl';
  if (!isKnownPurlType(type)) return 'purl_type';
  if (scopeWithoutAt.test(text)) return 'scope_without_at';
  return parsePurl(text) === null ? 'purl_name' : 'purl_version';
}

/** `pkg:npm/angular/core`: of two names the first is a scope. */
const scopeWithoutAt = /^pkg:\/*npm\/[^@%/?#]+(?:\/|%2f)[^/?#]+\/*(?:[?#].*)?$/i;
