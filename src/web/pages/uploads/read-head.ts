/** Bytes of a file that are looked at to recognise it. */
const headBytes = 1024 * 1024;

export interface Head {
  readonly text: string;
  readonly isGzip: boolean;
}

/** The first part of a file as text: unpacked where it is gzip, in the encoding that its byte order mark names. */
export async function readHead(file: Blob): Promise<Head> {
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isGzip = start[0] === 0x1f && start[1] === 0x8b;
  const stream = isGzip
    ? file.stream().pipeThrough(new DecompressionStream('gzip'))
    : file.slice(0, headBytes).stream();
  const bytes = await firstBytes(stream.getReader());
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  return { text: new TextDecoder(encoding).decode(bytes), isGzip };
}

async function firstBytes(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (length < headBytes) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    length += value.length;
  }
  await reader.cancel();
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
