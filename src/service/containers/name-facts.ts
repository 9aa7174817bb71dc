import { parseImageRef } from './image-ref.js';
import { versionOf } from './version-parts.js';

/** What is known of an image, as `node 24.1.0` and `debian 12.5`. */
export interface ImageFacts {
  readonly runtime: string | null;
  readonly os: string | null;
}

/** Words of image names and the runtime that each means. */
const runtimes: Readonly<Record<string, string>> = {
  ...{ node: 'node', nodejs: 'node', python: 'python', golang: 'golang', go: 'golang', ruby: 'ruby', php: 'php' },
  ...{ rust: 'rust', dotnet: 'dotnet', aspnet: 'dotnet', pypy: 'pypy', java: 'java', jdk: 'java', jre: 'java' },
  ...{ openjdk: 'java', 'eclipse-temurin': 'java', amazoncorretto: 'java', sapmachine: 'java', temurin: 'java' },
  ...{ 'ibm-semeru-runtimes': 'java', ibmjava: 'java', 'azul-zulu': 'java' },
};

/** `nodejs24-debian13`, `nodejs-20`, `java21`; the longest name first. */
const inRepository = new RegExp(
  `^(${Object.keys(runtimes)
    .toSorted((a, b) => b.length - a.length)
    .join('|')})-?(\\d+(?:\\.\\d+)*)?(?=$|[-_])`,
);

/** Publishers whose tags begin with the version of the runtime. */
const taggedByVersion = /(?:^|\/)(?:library|bitnami|chainguard|dotnet|hardened-images)\/[^/]+$/;

const codenames: Readonly<Record<string, string>> = {
  ...{ jessie: 'debian 8', stretch: 'debian 9', buster: 'debian 10', bullseye: 'debian 11', bookworm: 'debian 12' },
  ...{ trixie: 'debian 13', forky: 'debian 14', xenial: 'ubuntu 16.04', bionic: 'ubuntu 18.04', focal: 'ubuntu 20.04' },
  ...{ jammy: 'ubuntu 22.04', noble: 'ubuntu 24.04', resolute: 'ubuntu 26.04' },
};

const systems = ['alpine', 'debian', 'ubuntu'];

/** What an image's name says of its runtime and its system; null for what it does not say. */
export function factsOfName(ref: string): ImageFacts {
  const parsed = parseImageRef(ref);
  if (parsed === null) return { runtime: null, os: null };
  const { path, tag } = parsed;
  const repository = path.split('/').at(-1) ?? '';
  return { runtime: runtimeIn(path, repository, tag ?? ''), os: systemIn(repository, tag ?? '') };
}

function runtimeIn(path: string, repository: string, tag: string): string | null {
  const [whole = '', word = '', version] = inRepository.exec(repository) ?? [];
  const name = runtimes[word];
  if (name === undefined) return null;
  const ofTag = whole === repository && taggedByVersion.test(path) ? versionOf(tag).join('.') : '';
  return `${name} ${version ?? ofTag}`.trim();
}

function systemIn(repository: string, tag: string): string | null {
  // A system's own image has its version as the tag.
  if (systems.includes(repository)) {
    const codename = codenames[tag.split('-')[0] ?? ''];
    return codename ?? `${repository} ${versionOf(tag).join('.')}`.trim();
  }
  for (const word of [...tag.split('-'), ...repository.split('-')]) {
    const codename = codenames[word];
    if (codename !== undefined) return codename;
    const [, system, version] = /^(alpine|debian|ubuntu)(\d+(?:\.\d+)*)?$/.exec(word) ?? [];
    if (system !== undefined) return `${system} ${version ?? ''}`.trim();
  }
  return null;
}
