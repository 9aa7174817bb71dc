import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { exposures, usageClasses } from '../../src/shared/vulnerability-terms.js';
import { bandOf } from '../../src/verdict/band.js';
import { effectivePriority, formula } from '../../src/verdict/formula.js';

const guide = readFileSync(resolve(import.meta.dirname, '../../docs/verdict-formula.md'), 'utf8');

/** The rows of the table whose head begins so, each as its cells without code marks. */
function table(head: string): string[][] {
  const lines = guide.slice(guide.indexOf(`\n| ${head} |`) + 1).split('\n');
  const end = lines.findIndex((line) => !line.startsWith('|'));
  return lines.slice(0, end).flatMap((line, index) =>
    index === 1
      ? []
      : [
          line
            .split('|')
            .slice(1, -1)
            .map((cell) => cell.trim().replaceAll('`', '')),
        ],
  );
}

test('the guide has the factor of every class', () => {
  const factors = table('class')
    .slice(1)
    .map(([name, factor]) => [name, Number(factor)]);
  expect(Object.fromEntries(factors)).toEqual(formula.usage);
});

test('the guide has the factors of exposure', () => {
  const [[, ...exposures] = [], ...rows] = table('X');
  const found = rows.map(([vector, ...factors]) => [
    vector,
    Object.fromEntries(exposures.map((name, index) => [name, Number(factors[index])])),
  ]);
  expect(Object.fromEntries(found)).toEqual(formula.reach);
});

test('the guide has the floors', () => {
  const [names = [], floors = []] = table('called');
  expect(Object.fromEntries(names.map((name, index) => [name, Number(floors[index])]))).toEqual(formula.kevFloor);
});

test('the guide has the constants and the limits of bands', () => {
  const { severityByLabel: label } = formula;
  for (const words of [
    `formula \`${formula.name}\``,
    `low ${label.low}, moderate ${label.moderate}, high ${label.high}, critical ${label.critical}; neither: ${formula.severityUnknown}\n`,
    `(log10(EPSS) + ${formula.epssDecades}) / ${formula.epssDecades}`,
    `EPSS not known: 1/${1 / formula.likelihoodUnknown}\n`,
    `T  = ${formula.threatBase} + ${formula.threatSpan} * L `,
    `known exploited (KEV): ${formula.threatKev}\n`,
    `T^${formula.threatWeight} * S^${formula.severityWeight}`,
    `EP is at least ${formula.likelyExploitable} |`,
    `EP is at least ${formula.needsReview} |`,
  ])
    expect(guide).toContain(words);
});

const example = z.tuple([
  z.string(),
  z.coerce.number(),
  z.coerce.number(),
  z.enum(['yes', 'no']),
  z.enum(usageClasses),
  z.enum(exposures),
  z.coerce.number(),
  z.string(),
]);

const [, ...examples] = table('CVE');
test.each(examples)('the guide works out %s with CVSS %s, EPSS %s, KEV %s, %s, %s as %s', (...row) => {
  const [, cvssScore, epss, known, usage, exposed, score, band] = example.parse(row);
  const kev = known === 'yes';
  const found = effectivePriority({
    usage,
    cvssScore,
    severity: null,
    epss,
    kev,
    attackVector: 'N',
    exposure: exposed,
  });
  expect([found.score, bandOf(found.score, kev)]).toEqual([score, band]);
});

test('the guide has an example of each band', () => {
  expect(new Set(examples.map((row) => row.at(-1))).size).toBe(4);
});
