// The grammars of texts that outsiders write and programs read: versions, ids, names, addresses. What does not fit one is prose or worse.

/**
 * The short ones have no room for a sentence: no spaces, and three words of letters at most. Of 8,373 versions in advisories, SBOMs
 * and scans of all ecosystems none has more, hexadecimal hashes not counted. `…` ends a text that was cut.
 */
function isShort(shape: RegExp, text: string): boolean {
  return shape.test(text) && wordsOf(text) <= maxWords;
}

const maxWords = 3;

function wordsOf(text: string): number {
  const words = text.match(/[A-Za-z]{3,}/g) ?? [];
  return words.filter((word) => !/^[a-f]+$/i.test(word)).length;
}

/** A version of any ecosystem or distribution, as `1.2.3-rc.1`, `v0.0.0-20190308221718-c2843e01d9a2` or `1:2.30-4+deb11u1`. */
export function isVersion(text: string): boolean {
  return isShort(/^[0-9A-Za-z][0-9A-Za-z.+:~^_-]{0,99}…?$/, text);
}

/** Fixed versions as scanners name them: one, or several by commas, each perhaps with a sign of comparison: `>=1.4.3, 2.0.1`. */
export function isFixedVersion(text: string): boolean {
  const parts = text.split(/, ?/);
  const each = parts.map((part) => part.replace(/^(?:[<>]=?|[=~^]) ?/, ''));
  return parts.length <= maxFixed && each.every(isVersion) && wordsOf(text) <= maxWords;
}

/** Branches in which a distribution or a project has fixed a flaw. */
const maxFixed = 20;

/** A version or a range of them, as manifests and overrides say it: `^1.2 || >=3 <4`, `npm:other@1`, `workspace:*`. */
export function isVersionRange(text: string): boolean {
  return isShort(/^[\w.*+<>=!~^|:@/, ()[\]-]{1,200}$/, text);
}

/** The id of a vulnerability or of an advisory in any database. */
export function isAdvisoryId(text: string): boolean {
  // The groups of a GHSA id can look like words.
  if (/^GHSA(?:-[23456789cfghjmpqrvwx]{4}){3}$/i.test(text)) return true;
  return isShort(/^[A-Za-z][A-Za-z0-9]{1,15}(?:-[A-Za-z0-9:_.~]{1,60}){1,6}…?$/, text) && /\d/.test(text);
}

export function isCwe(text: string): boolean {
  return /^CWE-\d{1,5}$/.test(text);
}

/** A digest, as `sha256:` and hexadecimal digits, or these alone. */
export function isDigest(text: string): boolean {
  return /^(?:[a-z0-9]{2,10}:)?[0-9a-f]{32,128}$/i.test(text);
}

/** A CVSS vector of any version, as `CVSS:3.1/AV:N/AC:L` or `AV:N/AC:L`. */
export function isCvssVector(text: string): boolean {
  return /^(?:CVSS:\d\.\d\/)?[A-Za-z]{1,3}:[A-Za-z]{1,3}(?:\/[A-Za-z]{1,3}:[A-Za-z]{1,6}){0,40}$/.test(text);
}

/** One word, as a kind of package (`deb`), an HTTP method or a level of confidence. */
export function isWord(text: string): boolean {
  return isShort(/^[A-Za-z0-9][A-Za-z0-9._+-]{0,39}$/, text);
}

export function isIpAddress(text: string): boolean {
  return /^[0-9a-f.:]{2,45}(?:%[a-z0-9]{1,15})?$/i.test(text);
}

/** Names of packages may be several words, as `aws-alb-route-directive-adapter-for-istio`: they are checked for what no registry takes. */
export function isPackageName(text: string): boolean {
  return /^[@A-Za-z0-9_.~+-][@A-Za-z0-9_.~+\-/:%]{0,255}…?$/.test(text);
}

/** A package URL (ECMA-427), or in an image `name@version`. */
export function isPackageCoordinate(text: string): boolean {
  return /^(?:pkg:[a-z][a-z0-9.+-]*\/)?[@A-Za-z0-9_.~+-][@A-Za-z0-9_.~+\-/:%?=&#^]{0,1023}…?$/.test(text);
}

/** The name of a container image with tag and digest. */
export function isImageRef(text: string): boolean {
  return /^[A-Za-z0-9[][A-Za-z0-9._/:@[\]+-]{0,1023}…?$/.test(text);
}

/** An address of the web that a link may lead to, without a name or a password in it. */
export function isWebAddress(text: string): boolean {
  return (
    /^https?:\/\/[^\s"<>\\^`{|}\p{Cc}]{1,2040}$/iu.test(text) && URL.canParse(text) && new URL(text).username === ''
  );
}
