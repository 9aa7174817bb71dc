/**
 * One name for all spellings of a repository's address: without `.git` or a slash at its end, and without the user and
 * password that CI systems put into URLs. From other addresses (`git@host:team/shop.git`, a folder) nothing else is removed.
 */
export function sourceRepo(given: string): string {
  const tidy = (text: string) => text.replace(/\/+$/, '').replace(/(?<=[^/])\.git$/, '') || text;
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(given) || !URL.canParse(given)) return tidy(given);
  const url = new URL(given);
  url.username = '';
  url.password = '';
  url.search = '';
  url.hash = '';
  return tidy(url.href);
}
