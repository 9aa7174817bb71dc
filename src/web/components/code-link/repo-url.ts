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
  if (repo === null || !URL.canParse(repo)) return null;
  const { protocol, hostname, pathname } = new URL(repo);
  const host = hostname.replace(/^www\./, '');
  const address = Object.hasOwn(hosts, host) ? hosts[host] : undefined;
  const segments = file.replace(/^\.\//, '').split('/');
  if (address === undefined || !/^https?:$/.test(protocol)) return null;
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) return null;
  const root = `https://${host}${pathname.replace(/\/+$/, '').replace(/\.git$/, '')}`;
  return address(root, segments.map(encodeURIComponent).join('/'), line);
}
