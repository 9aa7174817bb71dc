/** Words as a sentence lists them: `a`, `a or b`, `a, b or c`. */
export function wordList(words: readonly string[], last: 'and' | 'or' | 'nor'): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}
