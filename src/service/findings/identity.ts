import { createHash, hash } from 'node:crypto';
import { yieldToEventLoop } from '../../shared/async/yield-to-event-loop.js';

/**
 * SHA-256 of what identifies a finding in the next scan. JSON separates the parts, whatever text they have. Line numbers are
 * not among them: a line inserted above must not make a finding new.
 */
export function identityOf(parts: readonly (string | number | null)[]): Buffer {
  return hash('sha256', JSON.stringify(parts), 'buffer');
}

/** 16 characters that differ where the texts do. */
export function shortHash(texts: readonly string[]): string {
  return identityOf(texts).toString('hex').slice(0, 16);
}

type Parts = readonly (string | null)[];

/**
 * An identity for each entry, in their order. Entries with the same parts differ by their ordinal only: one more or less of
 * them is one finding new or fixed. Pass them in a stable order, such as by place.
 */
export async function numberedIdentities(entries: readonly { readonly parts: Parts }[]): Promise<Buffer[]> {
  const yieldNow = yieldToEventLoop();
  const counted = new Map<string, number>();
  const identities: Buffer[] = [];
  for (const { parts } of entries) {
    await yieldNow();
    const first = identityOf([...parts, 0]);
    const key = first.toString('latin1');
    const ordinal = counted.get(key) ?? 0;
    counted.set(key, ordinal + 1);
    identities.push(ordinal === 0 ? first : identityOf([...parts, ordinal]));
  }
  return identities;
}

/** Characters of JSON that are hashed in one step. */
const hashBatchSize = 64 * 1024;

/** SHA-256 of a JSON value, in pieces: the text of a 64 MB report is never in memory as a whole. */
export async function contentHashOf(value: unknown): Promise<Buffer> {
  const yieldNow = yieldToEventLoop();
  const sum = createHash('sha256');
  let text = '';
  for (const piece of pieces(value, 4)) {
    text += piece;
    if (text.length < hashBatchSize) continue;
    sum.update(text);
    text = '';
    await yieldNow();
  }
  return sum.update(text).digest();
}

/** JSON in pieces: the upper levels, which have a report's long lists, piece by piece; what is below them is small. */
function* pieces(value: unknown, levels: number): Generator<string> {
  if (typeof value === 'string' && value.length > hashBatchSize) {
    yield '"';
    // By code points: half a surrogate pair would be escaped.
    for (const [part] of value.matchAll(/.{1,16384}/gsu)) yield JSON.stringify(part).slice(1, -1);
    yield '"';
  } else if (typeof value !== 'object' || value === null || levels === 0) {
    yield JSON.stringify(value) ?? '';
  } else if (Array.isArray(value)) {
    yield '[';
    for (const element of value) {
      yield* pieces(element, levels - 1);
      yield ',';
    }
    yield ']';
  } else {
    yield '{';
    for (const [key, member] of Object.entries(value)) {
      yield `${JSON.stringify(key)}:`;
      yield* pieces(member, levels - 1);
      yield ',';
    }
    yield '}';
  }
}
