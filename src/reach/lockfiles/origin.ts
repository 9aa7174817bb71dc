import type { Unplaced } from './package-list.js';

/** Why an address is no version of a registry: it is one of Git, a folder or file, or any other URL. */
export function originOf(address: string): { readonly reason: 'git' | 'path' | 'url'; readonly stated: string } {
  const stated = address.replace(/^:/, '');
  if (/^git[@+:]|^(?:github|gitlab|bitbucket|gist):|^ssh:|\.git(?:#|$)/.test(stated)) return { reason: 'git', stated };
  return { reason: /^(?:file|link|portal|exec):|^\.{0,2}\//.test(stated) ? 'path' : 'url', stated };
}

/**
 * The origin of a tarball that no registry serves: its address lacks the \`/-/\` between name and archive that all registries of npm's
 * kind have (https://github.com/npm/registry/blob/main/docs/responses/package-metadata.md). Null for one of a registry.
 */
export function foreignOrigin(resolved: string | undefined): Pick<Unplaced, 'reason' | 'stated'> | null {
  if (resolved === undefined || resolved === '') return null;
  const { reason, stated } = originOf(resolved);
  return reason === 'url' &&
    (/\/-\/|\/download\//.test(resolved) || !/^https?:\/\/[^/]*(?:github|gitlab|bitbucket|codeload)\b/.test(resolved))
    ? null
    : { reason, stated };
}
