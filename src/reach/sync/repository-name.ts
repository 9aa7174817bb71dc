/**
 * The name of a repository by the address of its remote: host and path, the same for https and ssh, and without user, password,
 * port and `.git`. Lower case, as hosts of repositories compare. Of a folder on this machine only its name is used.
 *
 * @returns null where the address has neither
 */
export function repositoryName(remote: string): string | null {
  const { host, path } = partsOf(remote.trim());
  const parts = path
    .split(/[/\\]+/)
    .map(decode)
    .filter((part) => part !== '' && part !== '.' && part !== '..');
  const last = parts.pop()?.replace(/\.git$/i, '') ?? '';
  const all = host === '' ? [last] : [canonicalHost(host), ...ownPath(host, [...parts, last])];
  const name = all.filter((part) => part !== '').join('/');
  return last === '' ? null : name.toLowerCase().replace(/[^\p{L}\p{N}._~+/-]+/gu, '-');
}

/** Host and path of `https://user:secret@host:8443/path?query`, and of `user@host:path`, which is ssh's short form. */
function partsOf(remote: string): { readonly host: string; readonly path: string } {
  const [, address] = /^[a-z][a-z0-9+.-]*:\/\/([^?#]*)/i.exec(remote) ?? [];
  if (address !== undefined) {
    const slash = address.indexOf('/');
    const authority = slash === -1 ? address : address.slice(0, slash);
    const host = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '');
    return { host, path: slash === -1 ? '' : address.slice(slash) };
  }
  // `C:\shop` is a folder. A host has more than one letter, and no slash before its colon.
  const [, host = '', path = remote] = /^(?:[^@/\\]*@)?(\[[^\]]+\]|[^:/\\@]{2,}):(.*)$/.exec(remote) ?? [];
  return { host, path };
}

/** Hosts that serve the same repositories over ssh under another name. */
const sshHosts: Readonly<Record<string, string>> = {
  'ssh.github.com': 'github.com',
  'altssh.gitlab.com': 'gitlab.com',
  'altssh.bitbucket.org': 'bitbucket.org',
  'ssh.dev.azure.com': 'dev.azure.com',
};

function canonicalHost(host: string): string {
  const lower = host.toLowerCase().replace(/^www\./, '');
  return sshHosts[lower] ?? lower;
}

/** Without the parts that only https or only ssh has: `_git` and `v3` of Azure DevOps, `scm` of Bitbucket Data Center. */
function ownPath(host: string, parts: readonly string[]): readonly string[] {
  if (/(?:^|\.)dev\.azure\.com$/i.test(host))
    return parts.filter((part, at) => part !== '_git' && (part !== 'v3' || at > 0));
  return parts[0] === 'scm' && parts.length > 2 ? parts.slice(1) : parts;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
