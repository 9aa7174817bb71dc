/** Where the gateway gives a document as an attachment, its bytes unchanged. */
export function documentUrl(path: string, input: Readonly<Record<string, string | boolean>>): string {
  const query = Object.entries(input).map(([name, value]): [string, string] => [name, String(value)]);
  return `/trpc/document/${path}?${new URLSearchParams(query)}`;
}
