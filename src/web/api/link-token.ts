/** Links that carry a token have it in the fragment, which no browser sends: it reaches no server's log and no Referer. */
export function tokenLink(path: '/accept-invite' | '/reset-password', token: string): string {
  return `${window.location.origin}${path}#token=${encodeURIComponent(token)}`;
}

/** The token of such a link; null where there is none. */
export function tokenOf(fragment: string): string | null {
  const token = new URLSearchParams(fragment).get('token')?.trim() ?? '';
  return token === '' ? null : token;
}
