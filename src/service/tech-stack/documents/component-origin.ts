import type { UnreadPart } from '../../../procedures/unread.js';
import type { Ecosystem } from '../../../shared/packages/ecosystem.js';

/** What distributions put before or behind the names of a registry's packages. */
const distributed: readonly (readonly [pattern: RegExp, ecosystem: Ecosystem | null])[] = [
  [/^(?:python[23]?|py[23]?)-(.+)$/, 'PyPI'],
  [/^node(?:js)?-(.+)$/, 'npm'],
  [/^(?:ruby|rubygem)-(.+)$/, 'RubyGems'],
  [/^(?:rust|librust)-(.+?)(?:-dev)?$/, 'crates.io'],
  [/^(?:php\d*|golang)-(.+?)(?:-dev(?:el)?)?$/, null],
  [/^lib(.+?)\d*-java$/, null],
];

/** The package of a registry that a distribution has packed; null where the name does not tell. */
export function registryNameOf(name: string): Pick<UnreadPart, 'ecosystem' | 'name'> | null {
  for (const [pattern, ecosystem] of distributed) {
    const packed = pattern.exec(name)?.[1];
    if (packed !== undefined) return { ecosystem, name: packed };
  }
  return null;
}

/** Addresses of registries' archives, which some tools name too. */
const registryAddress =
  /^https?:\/\/(?:[^/]*\.)?(?:npmjs\.(?:org|com)|yarnpkg\.com|pythonhosted\.org|pypi\.org|rubygems\.org|crates\.io|nuget\.org|maven\.org|apache\.org|packagist\.org|golang\.org)\/|\/-\//;

/** Where a package URL says that the package comes from, if not from its registry. Its version is its own word. */
export function addressIn(purl: string): readonly ['git' | 'url', string] | null {
  const qualifiers = new URLSearchParams(/\?([^#]*)/.exec(purl)?.[1] ?? '');
  const repository = qualifiers.get('vcs_url');
  if (repository !== null) return ['git', repository];
  const archive = qualifiers.get('download_url');
  return archive === null || registryAddress.test(archive) ? null : ['url', archive];
}
