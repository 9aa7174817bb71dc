import { reportTime } from '../report-time.js';
import type { SarifRun } from './log.js';

/** When the first of the runs began. */
export function startOf(runs: readonly SarifRun[]): Date | null {
  const times = runs
    .flatMap(({ invocations }) => invocations)
    .map(({ startTimeUtc }) => Date.parse(startTimeUtc ?? ''))
    .filter((time) => time > 0);
  return times.length === 0 ? null : new Date(Math.min(...times));
}

/** When the last of the runs ended, or began where it does not say that. Null where a run says neither. */
export function endOf(runs: readonly SarifRun[]): Date | null {
  const times = runs.map(({ invocations }) =>
    invocations
      .flatMap(({ endTimeUtc, startTimeUtc }) => reportTime(endTimeUtc ?? startTimeUtc)?.getTime() ?? [])
      .reduce((latest, time) => Math.max(latest, time), 0),
  );
  return times.length === 0 || times.includes(0) ? null : new Date(Math.max(...times));
}
