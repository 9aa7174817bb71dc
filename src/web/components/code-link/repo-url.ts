/** A place in a repository's files. */
interface Place {
  /** Path from the root of the repository, with slashes. */
  readonly file: string;
  /** From 1; null where it is not known. */
  readonly line: number | null;
}

/** How hosts that we know address a line of a file, on the branch that they show first. */
const hosts: Readonly<Record<string, (repo: string, path: string, line: number | null) => string>> = {
  'github.com': (repo, path, line) => `${repo}/blob/HEAD/${path}${line === null ? '' : `#L${line}`}`,
  'gitlab.com': (repo, path, line) => `${repo}/-/blob/HEAD/${path}${line === null ? '' : `#L${line}`}`,
  'bitbucket.org': (repo, path, line) => `${repo}/src/HEAD/${path}${line === null ? '' : `#lines-${line}`}`,
};

/** The address of a place in a repository; null where its host is another one, or the path leads out of it. */
export function placeUrl(repo: string | null, { file, line }: Place): string | null {
  const url = repo === null ? null : repositoryUrl(repo);
  if (url === null) return null;
  const host = url.hostname.replace(/^www\./, '');
  const address = Object.hasOwn(hosts, host) ? hosts[host] : undefined;
  const segments = file.replace(/^\.\//, '').split('/');
  if (address === undefined) return null;
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) return null;
  const root = `https://${host}${url.pathname.replace(/\/+$/, '').replace(/\.git$/, '')}`;
  return address(root, segments.map(encodeURIComponent).join('/'), line);
}

/** `https://host/team/shop`, `git@host:team/shop.git` and `host/team/shop` name the same repository. */
function repositoryUrl(repo: string): URL | null {
  const [, host, path] = /^[\w.-]+@([\w.-]+):(?!\/\/)(.+)$/.exec(repo) ?? [];
  const address = host === undefined ? repo : `https://${host}/${path}`;
  const full = address.includes(':') ? address : `https://${address}`;
  if (!URL.canParse(full)) return null;
  const url = new URL(full);
  return ['https:', 'http:', 'ssh:'].includes(url.protocol) ? url : null;
}

/** The last two parts of a path, which say most: `…/search/find-products.ts`. */
export function shortPath(file: string): string {
  const parts = file.split('/');
  return parts.length <= 3 ? file : `…/${parts.slice(-2).join('/')}`;
}
