/** The words of some lines as alternatives of an expression. */
export function alternatives(...lines: readonly string[]): string {
  return lines.join(' ').replaceAll(' ', '|');
}

/** The expression that matches where one of these does, tried in their order. Groups count through all of them. */
export function either(flags: string, ...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'), flags);
}
