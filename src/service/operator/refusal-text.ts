import type { Problem } from '../../procedures/problem.js';

/** What a command says of a refusal: the field that is wrong and why, else the code. */
export function refusalText({ code, errors }: Pick<Problem, 'code' | 'errors'>): string {
  const [wrong] = errors ?? [];
  return wrong === undefined ? code : `${wrong.field} ${wrong.message}`;
}
