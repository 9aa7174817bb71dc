import { latency, quantile } from '../support/latency.js';
import type { Cost } from '../support/load.js';
import { median } from '../support/measure.js';
import { goalRows, goals, type Subject, sizes, subjects } from './subjects.js';

/** What was measured of a subject with a size of answer: a cost a round. */
export interface Row {
  readonly subject: Subject;
  /** Null: a list of tools. */
  readonly size: number | null;
  readonly costs: readonly Cost[];
}

const cpuMs = ({ cpuSeconds, calls }: Cost) => (cpuSeconds / calls) * 1000;

/** The median of the ratios of the rounds: what disturbs a round disturbs both. */
function ratio(row: Row, than: Row): number {
  return median(
    row.costs.flatMap((cost, round) => {
      const other = than.costs[round];
      return other === undefined ? [] : [cpuMs(cost) / cpuMs(other)];
    }),
  );
}

/** Prints the costs of all subjects by size of answer, then the goals. */
export function printTable(rows: readonly Row[]): void {
  const floorOf = (size: number) => find(rows, subjects[0].name, size);
  for (const size of [...sizes, null]) {
    const title = size === null ? 'tools/list' : `list_alerts, ${size} rows`;
    console.log(`\n${title.padEnd(34)}  cpu ms  x proxy  calls/s  p50 ms  p99 ms`);
    const floor = floorOf(size ?? goalRows);
    for (const row of rows.filter((each) => each.size === size)) {
      const times = row.costs.flatMap((cost) => cost.times);
      const perSecond = median(row.costs.map(({ calls, seconds }) => calls / seconds));
      console.log(
        row.subject.name.padEnd(34),
        median(row.costs.map(cpuMs)).toFixed(3).padStart(7),
        ratio(row, floor).toFixed(2).padStart(8),
        perSecond.toFixed(0).padStart(8),
        latency(times).p50.toFixed(2).padStart(7),
        quantile(times, 0.99).toFixed(2).padStart(7),
      );
    }
  }
  console.log(`\nProcessor time a call, as a multiple (answers of ${goalRows} rows)`);
  for (const goal of goals) {
    const [subject, than] = [find(rows, goal.subject), find(rows, goal.than)];
    const reached = ratio(subject, than);
    console.log(
      `${reached <= goal.ratio ? 'met   ' : 'missed'} ${reached.toFixed(3)}, goal <= ${goal.ratio.toFixed(2)}:`,
      `${goal.subject} / ${goal.than}`,
    );
  }
}

function find(rows: readonly Row[], name: string, size: number = goalRows): Row {
  const row = rows.find((each) => each.subject.name === name && (each.size ?? size) === size);
  if (row === undefined) throw new Error(`${name} was not measured`);
  return row;
}
