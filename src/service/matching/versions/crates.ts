import { maxVersionLength, type Ordering } from './ordering.js';
import { compareSemVer, isSemVerPrerelease, parseSemVer, type SemVer } from './semver.js';

/**
 * crates.io: Semantic Versioning 2.0.0. Build metadata has no precedence here, as in RustSec's own matching.
 * Source: https://doc.rust-lang.org/cargo/reference/manifest.html#the-version-field.
 */
export const crates: Ordering<SemVer> = {
  parse: (text) => (text.length > maxVersionLength ? null : parseSemVer(text.trim())),
  compare: compareSemVer,
  isPrerelease: isSemVerPrerelease,
};
