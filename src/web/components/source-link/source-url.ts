interface Place {
  /** As the service keeps it: an address, or what a tool called the repository. */
  readonly repo: string;
  readonly file: string;
  readonly line: number | null;
}

type Address = (base: string, path: string, line: number | null) => string;

/** How known hosts address a line of the newest commit of the default branch. */
const hosts: Readonly<Record<string, Address>> = {
  'github.com': (base, path, line) => `${base}/blob/HEAD/${path}${line === null ? '' : `#L${line}`}`,
  'gitlab.com': (base, path, line) => `${base}/-/blob/HEAD/${path}${line === null ? '' : `#L${line}`}`,
  'bitbucket.org': (base, path, line) => `${base}/src/HEAD/${path}${line === null ? '' : `#lines-${line}`}`,
};

/** Where a line of a repository can be read; null where the host is not known, or the path leads out of the repository. */
export function sourceUrl({ repo, file, line }: Place): string | null {
  const url = repositoryUrl(repo);
  if (url === null) return null;
  const address = hosts[url.hostname];
  const parts = file.split(/[/\\]/).filter((part) => part !== '' && part !== '.');
  if (address === undefined || parts.length === 0 || parts.includes('..') || /^([a-z]:|\/)/i.test(file)) return null;
  const base = `https://${url.hostname}${url.pathname.replace(/(\.git)?\/*$/, '')}`;
  return address(base, parts.map(encodeURIComponent).join('/'), line);
}

/** `https://host/team/shop`, `git@host:team/shop.git` and `host/team/shop` name the same repository. */
function repositoryUrl(repo: string): URL | null {
  const [, host, path] = /^[\w.-]+@([\w.-]+):(.+)$/.exec(repo) ?? [];
  const address = host === undefined ? repo : `https://${host}/${path}`;
  const full = address.includes('://') ? address : `https://${address}`;
  if (!URL.canParse(full)) return null;
  const url = new URL(full);
  const isRepository = url.pathname.split('/').filter(Boolean).length >= 2;
  return ['https:', 'http:', 'ssh:'].includes(url.protocol) && isRepository ? url : null;
}

/** The last parts of a path, which say most: `…/search/find-products.ts`. */
export function shortPath(file: string, parts = 2): string {
  const all = file.split('/');
  return all.length <= parts + 1 ? file : `…/${all.slice(-parts).join('/')}`;
}
