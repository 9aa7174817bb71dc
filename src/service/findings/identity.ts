import { createHash } from 'node:crypto';

/**
 * SHA-256 of what makes a finding the same one in the next scan. JSON text keeps the parts apart, whatever they hold.
 * Line numbers are no part of it: a line inserted above must not make a finding new.
 */
export function identityOf(parts: readonly (string | number | null)[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}

type Parts = readonly (string | null)[];

/**
 * An identity for each entry, in their order. Entries with the same parts are told apart by their ordinal alone, so that
 * one more or less of them is one finding new or fixed, whichever it was. Give them in a stable order, as by place.
 */
export function numberedIdentities<Entry>(entries: readonly Entry[], partsOf: (entry: Entry) => Parts): Buffer[] {
  const counted = new Map<string, number>();
  return entries.map((entry) => {
    const parts = partsOf(entry);
    const key = identityOf(parts).toString('base64');
    const ordinal = counted.get(key) ?? 0;
    counted.set(key, ordinal + 1);
    return identityOf([...parts, ordinal]);
  });
}

/** SHA-256 of a JSON value, fed in pieces: the text of a report of 64 MB is never there as a whole. */
export function contentHashOf(value: unknown): Buffer {
  const hash = createHash('sha256');
  feed(value, 4, (text) => hash.update(text));
  return hash.digest();
}

/** Takes apart the upper levels, where a report's long lists are; what is below them is small. */
function feed(value: unknown, levels: number, write: (text: string) => void): void {
  if (typeof value !== 'object' || value === null || levels === 0) {
    write(JSON.stringify(value) ?? '');
  } else if (Array.isArray(value)) {
    write('[');
    for (const element of value) {
      feed(element, levels - 1, write);
      write(',');
    }
    write(']');
  } else {
    write('{');
    for (const [key, member] of Object.entries(value)) {
      write(`${JSON.stringify(key)}:`);
      feed(member, levels - 1, write);
      write(',');
    }
    write('}');
  }
}
