import { maxVersionLength, type Ordering } from './ordering.js';
import { compareSemVer, isSemVerPrerelease, type SemVer, toSemVer } from './semver.js';

/** A label may lack its hyphen (`1.2.3beta`), as node-semver allows in loose mode; then it begins with a letter. */
const shape = /^(\d+(?:\.\d+){0,2})(?:-([0-9A-Za-z.-]+)|([A-Za-z][0-9A-Za-z.-]*))?(?:\+[0-9A-Za-z.-]+)?$/;

/** What node-semver removes in front of a version: `v1.2.3`, `=1.2.3`, `= v1.2.3`. */
const prefix = /^[v=\s]+/;

/**
 * npm: Semantic Versioning 2.0.0 as node-semver reads it in loose mode, which is how the registry accepted old packages.
 * Source: https://github.com/npm/node-semver#versions and https://semver.org/spec/v2.0.0.html.
 */
export const npm: Ordering<SemVer> = {
  parse(text) {
    if (text.length > maxVersionLength) return null;
    const match = shape.exec(text.trim().replace(prefix, ''));
    return match?.[1] === undefined ? null : toSemVer(match[1], match[2] ?? match[3]);
  },
  compare: compareSemVer,
  isPrerelease: isSemVerPrerelease,
};
