/** A result of SARIF as tests write it. */
export interface Result {
  readonly [key: string]: unknown;
}

/** A result of rule `R1` at a line of a file. */
export function result(line: number, more: Result = {}, uri = 'src/a.ts'): Result {
  return {
    ruleId: 'R1',
    message: { text: 'this is wrong' },
    locations: [{ physicalLocation: { artifactLocation: { uri }, region: { startLine: line } } }],
    ...more,
  };
}

/** A run with its results; `more` goes beside them. */
export function run(results: readonly Result[], more: Result = {}, rules: readonly Result[] = []): Result {
  return { tool: { driver: { name: 'Checker', rules } }, results, ...more };
}

/** A whole report. */
export function sarif(...runs: readonly Result[]) {
  return { version: '2.1.0', runs };
}
