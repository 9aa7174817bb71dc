/** The rows of the OWASP API Security Top 10 of 2023 (https://owasp.org/API-Security/editions/2023/en/0x11-t10/). */
export const owaspRows = {
  API1: 'Broken object level authorization',
  API2: 'Broken authentication',
  API3: 'Broken object property level authorization',
  API4: 'Unrestricted resource consumption',
  API5: 'Broken function level authorization',
  API6: 'Unrestricted access to sensitive business flows',
  API7: 'Server side request forgery',
  API8: 'Security misconfiguration',
  API9: 'Improper inventory management',
  API10: 'Unsafe consumption of APIs',
} as const;

export type OwaspRow = keyof typeof owaspRows;

/** What one check has shown. `details` name the first failures, or why it was not tried. */
export interface Check {
  readonly row: OwaspRow;
  readonly name: string;
  readonly outcome: 'held' | 'failed' | 'not tried';
  /** Numbers in words, as `1,200 calls, 0 differences`. */
  readonly figures: string;
  readonly details: readonly string[];
}

type Named = Pick<Check, 'row' | 'name'>;

/** A check that held unless there are faults. Equal ones are counted. */
export function judged({ row, name }: Named, figures: string, faults: readonly string[]): Check {
  const counts = new Map<string, number>();
  for (const fault of faults) counts.set(fault, (counts.get(fault) ?? 0) + 1);
  const details = [...counts].map(([fault, count]) => (count === 1 ? fault : `${fault} (${count} times)`));
  return { row, name, outcome: faults.length === 0 ? 'held' : 'failed', figures, details };
}

export function notTried({ row, name }: Named, why: string): Check {
  return { row, name, outcome: 'not tried', figures: '', details: [why] };
}
