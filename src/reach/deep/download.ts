import { open } from 'node:fs/promises';
import type { Dispatcher } from 'undici';
import type { LockedPackage } from '../lockfiles/package-list.js';
import { type Digest, digestOf } from './integrity.js';

/** Bytes of a tarball; the largest that we know of has 150 MB. */
const maxTarballBytes = 256 * 1024 * 1024;

/** Milliseconds for one tarball. */
const timeout = 120_000;

const maxRedirects = 5;

/** npm's public registry (https://docs.npmjs.com/cli/v11/using-npm/registry). */
const publicRegistry = 'https://registry.npmjs.org/';

/** A tarball cannot be had; the message says why. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
}

/** The registry that npm's environment names, else the public one. */
export function registryOf(env: NodeJS.ProcessEnv): string {
  const given = env['npm_config_registry'] ?? env['NPM_CONFIG_REGISTRY'] ?? '';
  return URL.canParse(given) ? given.replace(/\/*$/, '/') : publicRegistry;
}

/** Where the tarball of a package is: where the lock file says, else in the registry, at the place that npm gives it. */
export function tarballAddress({ name, version, tarball }: LockedPackage, registry: string): string {
  const file = `${name.slice(name.indexOf('/') + 1)}-${version}.tgz`;
  return tarball?.url ?? `${registry}${name}/-/${file}`;
}

/**
 * Downloads a tarball to a file that does not exist yet. No name and no token is sent.
 *
 * @param registry an address of `http` is allowed only there, and only on the loopback interface
 * @throws DownloadError where the address is not allowed or not answered well, or the bytes are not those of the digest
 */
export async function download(
  address: string,
  file: string,
  {
    digest,
    registry,
    dispatcher,
  }: { readonly digest: Digest; readonly registry: string; readonly dispatcher: Dispatcher },
): Promise<void> {
  const { request } = await import('undici');
  const signal = AbortSignal.timeout(timeout);
  let url = allowed(address, registry);
  for (let redirects = 0; ; redirects++) {
    const { statusCode, headers, body } = await request(url, {
      dispatcher,
      signal,
      headers: { 'user-agent': 'reach' },
    });
    const { location } = headers;
    if (statusCode >= 300 && statusCode < 400 && typeof location === 'string' && redirects < maxRedirects) {
      await body.dump();
      url = allowed(URL.canParse(location, url.href) ? new URL(location, url).href : location, registry);
      continue;
    }
    if (statusCode !== 200) {
      await body.dump();
      throw new DownloadError(`its registry answered ${statusCode}`);
    }
    await save(body, file, digest);
    return;
  }
}

function allowed(address: string, registry: string): URL {
  if (!URL.canParse(address)) throw new DownloadError('its address is no URL');
  const url = new URL(address);
  const isLocalRegistry =
    url.protocol === 'http:' &&
    /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname) &&
    url.origin === new URL(registry).origin;
  if (url.protocol !== 'https:' && !isLocalRegistry) throw new DownloadError('its address is not one of https');
  return url;
}

async function save(body: AsyncIterable<unknown>, file: string, digest: Digest): Promise<void> {
  const { update, matches } = digestOf(digest);
  const target = await open(file, 'wx', 0o600);
  try {
    let bytes = 0;
    for await (const chunk of body) {
      if (!Buffer.isBuffer(chunk)) continue;
      bytes += chunk.length;
      if (bytes > maxTarballBytes) throw new DownloadError('it is larger than a package');
      update(chunk);
      await target.writeFile(chunk);
    }
  } finally {
    await target.close();
  }
  if (!matches()) throw new DownloadError('its bytes are not those that the lock file names');
}
