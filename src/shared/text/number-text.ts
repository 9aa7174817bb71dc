/**
 * A count as people read it: `1,234`. `toLocaleString` would first load the rules of all languages, which takes longer than
 * reading 20 files.
 */
export function formatCount(amount: number): string {
  return String(amount).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** 0.0341 -> `3.4 %`; below 0.1 % two digits are kept, since there they tell small probabilities apart. */
export function percent(probability: number): string {
  const value = probability * 100;
  return `${value >= 0.1 ? value.toFixed(1) : value.toPrecision(2)} %`;
}

/** Words as a sentence lists them: `a`, `a or b`, `a, b or c`. */
export function wordList(words: readonly string[], last: 'and' | 'or' | 'nor'): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}
