/** A repository's URL without user and password, which CI systems often put into it: records hold no secrets. */
export function withoutCredentials(repo: string): string {
  const url = new URL(repo);
  if (url.username === '' && url.password === '') return repo;
  url.username = '';
  url.password = '';
  return url.href;
}
