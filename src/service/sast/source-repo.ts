/**
 * One name for a repository, however its address is written: without the user and password that CI systems put into
 * it, and without `.git` or a slash at its end. What is no URL (`git@host:team/shop.git`, a folder) keeps the rest.
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
