import { createHash } from 'node:crypto';
import { yieldToEventLoop } from '../../shared/async/yield-to-event-loop.js';

/** SHA-256 of a document's values. Lists at its top are read row by row, so that other requests have their turn. */
export async function contentHash(document: Readonly<Record<string, unknown>>): Promise<Buffer> {
  const hash = createHash('sha256');
  const yieldNow = yieldToEventLoop();
  for (const key of Object.keys(document).sort()) {
    const value = document[key];
    hash.update(`${JSON.stringify(key)}:`);
    for (const row of Array.isArray(value) ? value : [value]) {
      hash.update(`${JSON.stringify(row)}\n`);
      await yieldNow();
    }
  }
  return hash.digest();
}
