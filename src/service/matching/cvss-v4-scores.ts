/**
 * Scores of the MacroVectors of CVSS 4.0, as FIRST publishes them (https://www.first.org/cvss/v4-0/specification-document
 * section 8.2, data file cvss_lookup.js of https://github.com/FIRSTdotorg/cvss-v4-calculator, BSD-2-Clause).
 * A row is one combination of EQ1, EQ2 and EQ3. Its scores are ordered by EQ4 (0 to 2), then EQ5 (0 to 2), then EQ6 (0 and
 * 1; only 1 where EQ3 = 2).
 */
const scores = new Map([
  ['000', [10, 9.9, 9.8, 9.5, 9.5, 9.2, 10, 9.6, 9.3, 8.7, 9.1, 8.1, 9.3, 9, 8.9, 8, 8.1, 6.8]],
  ['001', [9.8, 9.5, 9.5, 9.2, 9, 8.4, 9.3, 9.2, 8.9, 8.1, 8.1, 6.5, 8.8, 8, 7.8, 7, 6.9, 4.8]],
  ['002', [9.2, 8.2, 7.2, 7.9, 6.9, 5, 6.9, 5.5, 2.7]],
  ['010', [9.9, 9.7, 9.5, 9.2, 9.2, 8.5, 9.5, 9.1, 9, 8.3, 8.4, 7.1, 9.2, 8.1, 8.2, 7.1, 7.2, 5.3]],
  ['011', [9.5, 9.3, 9.2, 8.5, 8.5, 7.3, 9.2, 8.2, 8, 7.2, 7, 5.9, 8.4, 7, 7.1, 5.2, 5, 3]],
  ['012', [8.6, 7.5, 5.2, 7.1, 5.2, 2.9, 6.3, 2.9, 1.7]],
  ['100', [9.8, 9.5, 9.4, 8.7, 9.1, 8.1, 9.4, 8.9, 8.6, 7.4, 7.7, 6.4, 8.7, 7.5, 7.4, 6.3, 6.3, 4.9]],
  ['101', [9.4, 8.9, 8.8, 7.7, 7.6, 6.7, 8.6, 7.6, 7.4, 5.8, 5.9, 5, 7.2, 5.7, 5.7, 5.2, 5.2, 2.5]],
  ['102', [8.3, 7, 5.4, 6.5, 5.8, 2.6, 5.3, 2.1, 1.3]],
  ['110', [9.5, 9, 8.8, 7.6, 7.6, 7, 9, 7.7, 7.5, 6.2, 6.1, 5.3, 7.7, 6.6, 6.8, 5.9, 5.2, 3]],
  ['111', [8.9, 7.8, 7.6, 6.7, 6.2, 5.8, 7.4, 5.9, 5.7, 5.7, 4.7, 2.3, 6.1, 5.2, 5.7, 2.9, 2.4, 1.6]],
  ['112', [7.1, 5.9, 3, 5.8, 2.6, 1.5, 2.3, 1.3, 0.6]],
  ['200', [9.3, 8.7, 8.6, 7.2, 7.5, 5.8, 8.6, 7.4, 7.4, 6.1, 5.6, 3.4, 7, 5.4, 5.2, 4, 4, 2.2]],
  ['201', [8.5, 7.5, 7.4, 5.5, 6.2, 5.1, 7.2, 5.7, 5.5, 4.1, 4.6, 1.9, 5.3, 3.6, 3.4, 1.9, 1.9, 0.8]],
  ['202', [6.4, 5.1, 2, 4.7, 2.1, 1.1, 2.4, 0.9, 0.4]],
  ['210', [8.8, 7.5, 7.3, 5.3, 6, 5, 7.3, 5.5, 5.9, 4, 4.1, 2, 5.4, 4.3, 4.5, 2.2, 2, 1.1]],
  ['211', [7.5, 5.5, 5.8, 4.5, 4, 2.1, 6.1, 5.1, 4.8, 1.8, 2, 0.9, 4.6, 1.8, 1.7, 0.7, 0.8, 0.2]],
  ['212', [5.3, 2.4, 1.4, 2.4, 1.2, 0.5, 1, 0.3, 0.1]],
]);

/** The levels of the six equivalence sets; 0 is the most severe. */
export interface MacroVector {
  eq1: number;
  eq2: number;
  eq3: number;
  eq4: number;
  eq5: number;
  eq6: number;
}

/** The score of a MacroVector; undefined where that MacroVector does not exist. */
export function macroScore({ eq1, eq2, eq3, eq4, eq5, eq6 }: MacroVector): number | undefined {
  if (eq4 > 2 || eq5 > 2 || eq6 > 1) return undefined;
  if (eq3 === 2 && eq6 === 0) return undefined;
  const column = eq3 === 2 ? eq4 * 3 + eq5 : (eq4 * 3 + eq5) * 2 + eq6;
  return scores.get(`${eq1}${eq2}${eq3}`)?.[column];
}
