import { latency } from '../support/latency.js';
import type { Cost } from '../support/load.js';
import { median } from '../support/measure.js';
import type { Workload } from './workloads.js';

/** One round of one workload. */
export interface Sample {
  readonly busy: Cost;
  readonly alone: Cost;
}

interface Measured {
  readonly workload: Workload;
  readonly samples: readonly Sample[];
}

const perSecond = ({ busy }: Sample) => busy.calls / busy.seconds;
const cpuMs = ({ busy }: Sample) => (busy.cpuSeconds / busy.calls) * 1000;

/** Prints the medians of a server, and beside another one's the median of the ratios of the rounds. */
export function printTable([own = [], other]: ReadonlyArray<readonly Measured[]>): void {
  console.log(`${''.padEnd(24)}${header}${other === undefined ? '' : `   the other:${header}  calls/s  cpu time`}`);
  for (const [row, { workload, samples }] of own.entries()) {
    const before = other?.[row]?.samples;
    const comparison = before === undefined ? '' : `${' '.repeat(13)}${figures(before)}${ratios(samples, before)}`;
    console.log(`${workload.name.padEnd(24)}${figures(samples)}${comparison}`);
  }
}

const header = ' calls/s  cpu ms  p50 ms alone';

function figures(samples: readonly Sample[]): string {
  const { p50 } = latency(samples.flatMap(({ alone }) => alone.times));
  return [
    median(samples.map(perSecond)).toFixed(0).padStart(8),
    median(samples.map(cpuMs)).toFixed(2).padStart(8),
    p50.toFixed(2).padStart(14),
  ].join('');
}

/** How many times as many calls a second, and how many times less processor time; a mark where it is a tenth slower. */
function ratios(now: readonly Sample[], before: readonly Sample[]): string {
  const faster = median(now.map((sample, round) => perSecond(sample) / perSecondOf(before[round])));
  const cheaper = median(now.map((sample, round) => cpuMsOf(before[round]) / cpuMs(sample)));
  return [faster, cheaper].map((ratio) => `${ratio.toFixed(2)}x${ratio < 0.9 ? '!' : ' '}`.padStart(9)).join(' ');
}

const perSecondOf = (sample: Sample | undefined) => (sample === undefined ? Number.NaN : perSecond(sample));
const cpuMsOf = (sample: Sample | undefined) => (sample === undefined ? Number.NaN : cpuMs(sample));
