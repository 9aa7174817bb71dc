/** The lines of a text, to give places as editors do: from 1, columns in UTF-16 code units. */
export class Lines {
  readonly #starts: number[] = [0];

  constructor(text: string) {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      // A carriage return ends a line too, unless a line feed follows.
      if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) this.#starts.push(at + 1);
    }
  }

  placeOf(offset: number): { readonly line: number; readonly column: number } {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 };
  }
}
