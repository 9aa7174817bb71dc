import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { either } from '../languages/patterns.js';

/** Semantic Versioning 2.0.0, which npm, Go and crates.io require of a package. */
const semVer = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z.-]+)?$/;

const composerStability = '(?:[._-]?(?:stable|beta|b|rc|alpha|a|patch|pl|p)(?:[.-]?\\d)*)?(?:[._-]?dev)?';
/** Of a version before the final one, one after it, and one in development. */
const pythonSuffixes =
  '(?:[-_.]?(?:alpha|a|beta|b|preview|pre|c|rc)[-_.]?\\d*)?' +
  '(?:-\\d+|[-_.]?(?:post|rev|r)[-_.]?\\d*)?(?:[-_.]?dev[-_.]?\\d*)?';

const shapes: Readonly<Record<Ecosystem, RegExp>> = {
  npm: semVer,
  'crates.io': semVer,
  /** The standard library and the toolchain have no `v`. */
  Go: new RegExp(semVer.source.replace('^', '^v?')),

  /** What Composer writes: a release, a date or a branch (https://getcomposer.org/doc/articles/versions.md). */
  Packagist: either(
    'i',
    /^dev-\S+$/,
    new RegExp(`^v?(?:\\d{1,5}(?:\\.\\d+){0,3}|\\d{4}(?:[.:-]?\\d{2}){1,6})${composerStability}(?:\\+\\S+)?$`),
    /^v?\d+(?:\.(?:\d+|x)){0,3}-dev(?:\+\S+)?$/,
  ),

  /** PEP 440, appendix B. */
  PyPI: new RegExp(`^v?(?:\\d+!)?\\d+(?:\\.\\d+)*${pythonSuffixes}(?:\\+[a-z0-9]+(?:[-_.][a-z0-9]+)*)?$`, 'i'),

  /** `Gem::Version::VERSION_PATTERN`. */
  RubyGems: /^\d+(?:\.[0-9A-Za-z]+)*(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/,

  /** Maven accepts any text. A range, a list, an unset property or a word for the newest version is not a version. */
  Maven: /^(?!(?:latest|release|latest\..*|unspecified|undefined|unknown|.*\+)$)[^\s,[\](){}$@]+$/i,

  /** https://learn.microsoft.com/nuget/concepts/package-versioning */
  NuGet: /^\d+(?:\.\d+){0,3}(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/,
};

/** Whether the text is a version as the ecosystem's tools write it into a lock file. */
export function isVersionOf(ecosystem: Ecosystem, text: string): boolean {
  return shapes[ecosystem].test(text);
}
