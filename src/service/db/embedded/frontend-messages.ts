/** What a client of PostgreSQL has sent: the startup packet of a session, whole messages, or the end of the session. */
export type FrontendPart =
  | { readonly kind: 'startup'; readonly bytes: Uint8Array }
  | { readonly kind: 'messages'; readonly bytes: Uint8Array }
  | { readonly kind: 'terminate' };

const terminate = 'X'.charCodeAt(0);

/**
 * Cuts a client's byte stream into whole messages. Messages that arrived together stay together, so that a pipelined
 * Parse, Bind, Execute and Sync reach the engine in one call. Format:
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
export class FrontendStream {
  #held: Uint8Array[] = [];
  #size = 0;
  /** Bytes needed to continue. Without it, a large message in many chunks would be copied once for each chunk. */
  #wanted = 4;
  #started = false;

  /** Takes the next bytes and returns what they complete. */
  push(chunk: Uint8Array): FrontendPart[] {
    this.#held.push(chunk);
    this.#size += chunk.length;
    if (this.#size < this.#wanted) return [];
    const [only] = this.#held;
    const bytes = this.#held.length === 1 && only !== undefined ? only : Buffer.concat(this.#held, this.#size);
    return this.#cut(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  }

  #cut(bytes: Buffer): FrontendPart[] {
    const parts: FrontendPart[] = [];
    let from = 0;
    let offset = 0;
    const flush = () => {
      if (offset > from) parts.push({ kind: 'messages', bytes: bytes.subarray(from, offset) });
    };
    while (true) {
      // Only the startup packet has no type byte before its length.
      const header = this.#started ? 5 : 4;
      if (bytes.length - offset < header) {
        this.#wanted = header;
        break;
      }
      const length = bytes.readInt32BE(offset + header - 4) + header - 4;
      if (length < header) throw new RangeError('A protocol message says that it is shorter than its own header.');
      if (bytes.length - offset < length) {
        this.#wanted = length;
        break;
      }
      if (!this.#started) {
        parts.push({ kind: 'startup', bytes: bytes.subarray(offset, offset + length) });
        this.#started = true;
        from = offset + length;
      } else if (bytes[offset] === terminate) {
        flush();
        parts.push({ kind: 'terminate' });
        from = offset + length;
      }
      offset += length;
    }
    flush();
    this.#held = offset < bytes.length ? [bytes.subarray(offset)] : [];
    this.#size = bytes.length - offset;
    return parts;
  }
}
