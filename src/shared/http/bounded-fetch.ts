interface Bounds {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** A small answer in JSON that comes soon, from this very address. Throws where it does not, and for a status of 500 and above. */
export async function boundedFetch(address: string, { timeoutMs, maxBytes }: Bounds): Promise<Response> {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(address, { redirect: 'error', signal, headers: { accept: 'application/json' } });
  if (response.status >= 500) throw new Error(`status ${response.status}`);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    if (bytes > maxBytes) throw new Error(`more than ${maxBytes} bytes`);
    parts.push(part);
  }
  return new Response(Buffer.concat(parts), { status: response.status });
}
