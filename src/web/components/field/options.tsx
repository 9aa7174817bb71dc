export function Options({ words }: { readonly words: Readonly<Record<string, string>> }) {
  return Object.entries(words).map(([value, word]) => (
    <option key={value} value={value}>
      {word}
    </option>
  ));
}

/** Options for values that are their own words. */
export function namesOf<Value extends string>(values: readonly Value[]) {
  return Object.fromEntries(values.map((value) => [value, value]));
}
