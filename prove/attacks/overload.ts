import { callTool } from '../support/doors.js';
import { overload as runOverload } from '../support/load.js';
import { type Attack, countStatuses, refusalFaults } from './attack.js';

/** The part of the capacity that must still be done when twice as much is asked for. */
const leastDone = 0.8;

/** One key at twice what the server can do. In the short form just many calls at once, without a rate. */
export const overload: Attack = {
  row: 'API4',
  name: 'twice the capacity',
  run: async ({ url, short, tenants }) => {
    const key = tenants.Free.writeKey;
    if (short) {
      const one = () => callTool(url, key, 'get_posture_summary', {});
      const answers = await Promise.all(Array.from({ length: 150 }, one));
      return { figures: countStatuses(answers), faults: refusalFaults(answers) };
    }
    const { capacity, flood } = await runOverload({ url, key });
    const { done, partial, refused, bare, failed, donePerSecond, refusedAfterMs } = flood;
    const sent = done + partial + refused + bare + failed;
    const faults = [
      ...(donePerSecond >= capacity * leastDone
        ? []
        : [`${donePerSecond.toFixed(1)} of ${capacity.toFixed(1)} calls/s were done`]),
      ...(refused > 0 ? [] : ['nothing was refused: it was not asked for more than it can do']),
      ...(bare === 0 ? [] : [`${bare} refusals do not say when to come again`]),
      ...(failed === 0 ? [] : [`${failed} of ${sent} calls failed`]),
    ];
    const counts = `${done} done, ${partial} in part, ${refused} refused after ${Math.round(refusedAfterMs)} ms (median)`;
    const figures = `capacity ${capacity.toFixed(1)}/s, done ${donePerSecond.toFixed(1)}/s at twice that: ${counts}`;
    return { figures, faults };
  },
};
