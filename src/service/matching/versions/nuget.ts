import { maxVersionLength, type Ordering } from './ordering.js';
import { compareSemVer, isSemVerPrerelease, type SemVer, toSemVer } from './semver.js';

const shape = /^(\d+(?:\.\d+){0,3})(?:-([0-9a-z.-]+))?(?:\+[0-9a-z.-]+)?$/;

/**
 * NuGet: Semantic Versioning 2.0.0 with a fourth number, the revision. Missing numbers are zeros, labels compare without
 * regard to case, and build metadata is ignored.
 * Source: https://learn.microsoft.com/nuget/concepts/package-versioning (normalised version numbers, pre-release versions).
 */
export const nuget: Ordering<SemVer> = {
  parse(text) {
    if (text.length > maxVersionLength) return null;
    const match = shape.exec(text.trim().toLowerCase());
    return match?.[1] === undefined ? null : toSemVer(match[1], match[2]);
  },
  compare: compareSemVer,
  isPrerelease: isSemVerPrerelease,
};
