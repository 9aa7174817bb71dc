import type { Outcome } from './prove.js';

const columns: readonly (readonly [title: string, of: (outcome: Outcome) => string | number])[] = [
  ['project', ({ project }) => project],
  ['manager', ({ manager }) => manager],
  ['alerts', ({ before }) => before],
  ['closes: happened/promised', ({ closed, closes }) => `${closed}/${closes}`],
  ['may close', ({ mayClosed, mayClose }) => `${mayClosed}/${mayClose}`],
  ['stays', ({ stayed, stays }) => `${stayed}/${stays}`],
  ['opened', ({ opened }) => opened],
  [
    'steps',
    ({ steps }) =>
      Object.entries(steps)
        .map(([how, count]) => `${count} ${how}`)
        .join(', '),
  ],
  ['overrides across a major', ({ acrossMajor }) => acrossMajor],
  ['tokens', ({ tokens }) => tokens],
  ['bytes', ({ bytes }) => bytes],
  ['edits not named', ({ unnamed }) => unnamed],
  [
    'taken',
    ({ refused, missing }) =>
      (refused === null ? 'yes' : 'no') + (missing.length > 0 ? `, less ${missing.join(' ')}` : ''),
  ],
];

/** A table in Markdown, with a row for each outcome, and what is not as it was said. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  const faults = outcomes.flatMap(({ project, manager, refused, wrong }) =>
    [...(refused === null ? [] : [refused]), ...wrong].map((each) => `- ${project}, ${manager}: ${each}`),
  );
  const head = [row(columns.map(([title]) => title)), row(columns.map(() => '---'))];
  const rows = outcomes.map((outcome) => row(columns.map(([, of]) => of(outcome))));
  return ['', ...head, ...rows, ...faults, ''].join('\n');
}
