/** What the values of a metric mean (FIRST: CVSS v2, v3.1 and v4.0 specifications). */
interface Metric {
  readonly name: string;
  readonly values: Readonly<Record<string, string>>;
}

const loss = { N: 'none', L: 'low', H: 'high', P: 'partial', C: 'complete' } as const;
const v2Complexity = { L: 'low', M: 'medium', H: 'high' } as const;

/** In the order in which a reader asks: how it is reached, what it needs, what it does. */
const metrics: Readonly<Record<string, Metric>> = {
  AV: { name: 'Reached by', values: { N: 'network', A: 'adjacent network', L: 'local access', P: 'physical access' } },
  AC: { name: 'Complexity', values: v2Complexity },
  AT: { name: 'Requirements', values: { N: 'none', P: 'present' } },
  PR: { name: 'Privileges', values: { N: 'none', L: 'low', H: 'high' } },
  Au: { name: 'Authentication', values: { N: 'none', S: 'once', M: 'several times' } },
  UI: { name: 'User interaction', values: { N: 'none', R: 'required', P: 'passive', A: 'active' } },
  S: { name: 'Scope', values: { U: 'unchanged', C: 'changed' } },
  C: { name: 'Confidentiality', values: loss },
  I: { name: 'Integrity', values: loss },
  A: { name: 'Availability', values: loss },
  VC: { name: 'Confidentiality', values: loss },
  VI: { name: 'Integrity', values: loss },
  VA: { name: 'Availability', values: loss },
  SC: { name: 'Confidentiality of others', values: loss },
  SI: { name: 'Integrity of others', values: { ...loss, S: 'safety' } },
  SA: { name: 'Availability of others', values: { ...loss, S: 'safety' } },
};

/** The base metrics of a vector in words: `[['Reached by', 'network'], …]`. What is not known is left out. */
export function cvssWords(vector: string): ReadonlyArray<readonly [name: string, value: string]> {
  const given = new Map(
    vector.split('/').map((part) => {
      const [name = '', value = ''] = part.split(':');
      return [name, value];
    }),
  );
  return Object.entries(metrics).flatMap(([key, { name, values }]) => {
    const value = given.get(key);
    const word = value !== undefined && Object.hasOwn(values, value) ? values[value] : undefined;
    return word === undefined ? [] : [[name, word] as const];
  });
}
