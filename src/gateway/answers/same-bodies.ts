import { freezeJson } from '../../shared/json/freeze-json.js';
import { isRecord } from '../../shared/json/is-record.js';
import { readJson } from '../upstream-request.js';

/** Characters of all texts that are kept, and of one: twice that is their memory, and as much again that of their values. */
const maxLength = { all: 4_000_000, one: 400_000 };

/**
 * Reads bodies of the service. The same text is the same answer: from the second time on it is the same frozen object, so that
 * whatever is made of it can be made once (`madeOnce`). The one that was unused for the longest time is forgotten first.
 */
export class SameBodies {
  /** Of a text that came once, only the text is kept. */
  readonly #kept = new Map<string, object | null>();
  #length = 0;

  /** The JSON value; undefined where the text is no JSON. */
  read(text: string): unknown {
    if (text.length > maxLength.one) return readJson(text);
    const kept = this.#kept.get(text);
    const body = kept ?? readJson(text);
    if (!isRecord(body)) return body;
    if (kept === undefined) this.#length += text.length;
    else this.#kept.delete(text);
    if (kept === null) freezeJson(body);
    this.#kept.set(text, kept === undefined ? null : body);
    this.#forget();
    return body;
  }

  #forget(): void {
    for (const oldest of this.#kept.keys()) {
      if (this.#length <= maxLength.all) break;
      this.#kept.delete(oldest);
      this.#length -= oldest.length;
    }
  }
}
