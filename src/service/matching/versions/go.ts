import { maxVersionLength, type Ordering } from './ordering.js';
import { compareSemVer, isSemVerPrerelease, parseSemVer, type SemVer } from './semver.js';

/** What `go mod` writes of a module that a `replace` gives: it stands for no commit. */
const placeholder = /^v?0\.0\.0-00010101000000-000000000000(?:\+incompatible)?$/;

/**
 * Go modules: Semantic Versioning with a leading `v`, which OSV records leave out. A pseudo-version
 * (`v0.0.0-20191109021931-daa7c04131f5`) is a pre-release whose label sorts by its UTC time; `+incompatible` is build
 * metadata. Source: https://go.dev/ref/mod#versions and #pseudo-versions, golang.org/x/mod/semver.
 */
export const go: Ordering<SemVer> = {
  parse(text) {
    if (text.length > maxVersionLength) return null;
    const trimmed = text.trim();
    if (placeholder.test(trimmed)) return null;
    return parseSemVer(trimmed.startsWith('v') ? trimmed.slice(1) : trimmed);
  },
  compare: compareSemVer,
  isPrerelease: isSemVerPrerelease,
  isUnordered: (text) => placeholder.test(text),
};
