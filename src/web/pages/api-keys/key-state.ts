import type { RouterOutputs } from '../../../client/index.js';
import { counted } from '../../components/number/number.js';
import { relative } from '../../components/time/format.js';

export type ApiKey = RouterOutputs['apiKeys']['list']['items'][number];

/** Whether a key still opens anything. A revoked one that has expired too was revoked. */
export function stateOf({ revoked_at, expires_at }: ApiKey, now: Date): 'active' | 'expired' | 'revoked' {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && expires_at <= now ? 'expired' : 'active';
}

const soonMs = 14 * 86_400_000;

/** Whether it is time to replace the key. */
export function endsSoon({ expires_at }: ApiKey, now: Date): boolean {
  return expires_at !== null && expires_at.getTime() - now.getTime() < soonMs;
}

/** The page's answer: how many keys call, what they may, when one did last. */
export function answerOf(active: readonly ApiKey[], now: Date): string {
  if (active.length === 0) return 'No key is active: agents and build pipelines cannot call yet.';
  const writing = active.filter(({ scope }) => scope === 'ReadWrite').length;
  const scopes =
    writing === 0 ? 'none of them may write' : `${writing === active.length ? 'all' : writing} of them may also write`;
  const uses = active.flatMap(({ last_used_at }) => (last_used_at === null ? [] : [last_used_at.getTime()]));
  const use =
    uses.length === 0 ? 'None has called yet' : `The last call was ${relative(new Date(Math.max(...uses)), now)}`;
  const ending = active.filter((key) => endsSoon(key, now)).length;
  const end = ending === 0 ? '' : ` ${counted(ending, 'key ends', 'keys end')} within 14 days.`;
  return `${counted(active.length, 'key is active', 'keys are active')}; ${scopes}. ${use}.${end}`;
}
