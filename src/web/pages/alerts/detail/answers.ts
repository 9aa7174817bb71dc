import type { RouterOutputs } from '../../../../client/index.js';

export type Alert = RouterOutputs['alerts']['get'];
export type Verdict = RouterOutputs['reachability']['getVerdict'];
