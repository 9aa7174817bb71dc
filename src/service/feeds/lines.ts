/** A line of text. `text` is null where the line was longer than allowed. */
export interface Line {
  /** From 1. */
  readonly number: number;
  readonly text: string | null;
}

const lineFeed = 0x0a;
const byteOrderMark = '\ufeff';

/** Splits UTF-8 bytes at LF or CRLF. Holds at most `maxBytes` and one chunk: a longer line's text is dropped. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Line> {
  let parts: Uint8Array[] = [];
  let size = 0;
  let number = 0;
  const add = (part: Uint8Array) => {
    size += part.length;
    if (size > maxBytes) parts = [];
    else if (part.length > 0) parts.push(part);
  };
  const finish = (): Line => {
    const text = size > maxBytes ? null : textOf(parts, number === 0);
    parts = [];
    size = 0;
    number += 1;
    return { number, text };
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      add(chunk.subarray(start, end));
      yield finish();
      start = end + 1;
    }
    add(chunk.subarray(start));
  }
  if (size > 0) yield finish();
}

function textOf(parts: readonly Uint8Array[], isFirst: boolean): string {
  const text = Buffer.concat(parts).toString('utf8');
  const withoutMark = isFirst && text.startsWith(byteOrderMark) ? text.slice(1) : text;
  return withoutMark.endsWith('\r') ? withoutMark.slice(0, -1) : withoutMark;
}
