/** The parts of an image's name, with Docker Hub's short forms expanded. */
export interface ImageRef {
  /** Host and port. */
  readonly registry: string;
  /** Without registry and tag, as `library/node`. */
  readonly path: string;
  /** `latest` where neither tag nor digest is given; null where only the digest is. */
  readonly tag: string | null;
  readonly digest: string | null;
}

/** Characters of a ref that the API takes. */
const maxLength = 1024;

const pathComponent = /^[a-z0-9]+(?:[._-]+[a-z0-9]+)*$/;
const tagShape = /^\w[\w.-]{0,127}$/;
const digestShape = /^[a-z0-9]+(?:[+._-][a-z0-9]+)*:[0-9a-f]{32,128}$/i;
const registryShape = /^(?:[a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)*|\[[0-9a-fA-F:]+\])(?::\d{1,5})?$/;

/**
 * Reads `[registry/]path[:tag][@digest]`; null where the text is no such name. The first part is a registry if it has a
 * dot or a port or is `localhost` (distribution/reference, `ParseNormalizedNamed`).
 */
export function parseImageRef(text: string): ImageRef | null {
  const trimmed = text.trim();
  if (trimmed.length > maxLength) return null;
  const [named = '', digest = null, ...more] = trimmed.split('@');
  if (more.length > 0 || (digest !== null && !digestShape.test(digest))) return null;
  const colon = named.lastIndexOf(':');
  // A colon before the last slash is that of a port.
  const hasTag = colon > named.lastIndexOf('/');
  const tag = hasTag ? named.slice(colon + 1) : null;
  const parts = (hasTag ? named.slice(0, colon) : named).split('/');
  const [first = ''] = parts;
  const isRegistry = parts.length > 1 && (/[.:]/.test(first) || first === 'localhost');
  const registry = isRegistry ? first : 'docker.io';
  const path = isRegistry ? parts.slice(1) : parts;
  if (!registryShape.test(registry) || !path.every((part) => pathComponent.test(part))) return null;
  if (tag !== null && !tagShape.test(tag)) return null;
  const hub = registry === 'docker.io' || registry === 'index.docker.io';
  return {
    registry: hub ? 'docker.io' : registry.toLowerCase(),
    path: hub && path.length === 1 ? `library/${path.join('/')}` : path.join('/'),
    tag: tag ?? (digest === null ? 'latest' : null),
    digest,
  };
}

/** Registry and path, which all tags of an image share. */
export function repositoryOf({ registry, path }: ImageRef): string {
  return `${registry}/${path}`;
}

/**
 * The normalised spelling of a name, as `docker.io/library/node:20`. It has the digest only where there is no tag: when the
 * same tag is built again, that is the same image scanned again.
 */
export function printImageRef(ref: ImageRef): string {
  return `${repositoryOf(ref)}${ref.tag === null ? `@${ref.digest ?? ''}` : `:${ref.tag}`}`;
}

/** The normalised spelling of a name; null where it is none. */
export function normaliseRef(text: string): string | null {
  const ref = parseImageRef(text);
  return ref === null ? null : printImageRef(ref);
}

/** A name as Dockerfiles have it: without Docker Hub's registry and `library/`. */
export function familiarRef(ref: string): string {
  return ref.replace(/^docker\.io\/(?:library\/)?/, '');
}
