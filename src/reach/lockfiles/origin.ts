import type { Unplaced } from './package-list.js';

/** Why an address is no version of a registry: it is one of Git, a folder or file, or any other URL. */
export function originOf(address: string): { readonly reason: 'git' | 'path' | 'url'; readonly stated: string } {
  const stated = address.replace(/^:/, '');
  if (/^git[@+:]|^(?:github|gitlab|bitbucket|gist):|^ssh:|\.git(?:#|$)/.test(stated)) return { reason: 'git', stated };
  return { reason: /^(?:file|link|portal|exec):|^\.{0,2}\//.test(stated) ? 'path' : 'url', stated };
}

/** Addresses of archives in registries of npm's kind: all but a few have `/-/` between the name and the archive. */
const ofRegistry = /\/-\/|\/download\/|^https?:\/\/(?:npm\.jsr\.io|[^/]*\b(?:npmmirror|taobao)\.[^/]*)\//;

/** The origin of a tarball that no registry serves. Null for one of a registry, and for one without an address. */
export function foreignOrigin(resolved: string | undefined): Pick<Unplaced, 'reason' | 'stated'> | null {
  if (resolved === undefined || resolved === '') return null;
  const { reason, stated } = originOf(resolved);
  return reason === 'url' && (ofRegistry.test(resolved) || !/^https?:/.test(resolved)) ? null : { reason, stated };
}
