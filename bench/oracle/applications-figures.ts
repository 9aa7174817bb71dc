import { readFileSync, writeFileSync } from 'node:fs';
import { groupBy } from '../../src/reach/lockfiles/group-by.js';
import { type Application, checkOut } from './check-out.js';
import { type EcosystemFigures, judgeTree, type Wrong } from './judge.js';

/** The goal for the share of direct packages that are judged. */
const minJudged = 0.9;

interface ApplicationsRun {
  readonly list: string;
  /** Where checkouts are kept from run to run. */
  readonly folder: string;
  readonly mirror: string | undefined;
  /** Only applications whose name holds this text. */
  readonly filter: string | undefined;
  /** A file for the packages that are played down, tab-separated. */
  readonly wrongFile: string | undefined;
}

/** Judges each application and prints the figures; false where a used package is played down or too few are judged. */
export async function judgeApplications({
  list,
  folder,
  mirror,
  filter,
  wrongFile,
}: ApplicationsRun): Promise<boolean> {
  const applications = applicationsIn(readFileSync(list, 'utf8')).filter(({ repository }) =>
    repository.toLowerCase().includes(filter?.toLowerCase() ?? ''),
  );
  const all: EcosystemFigures[] = [];
  const rows: string[] = [];
  let failed = 0;
  for (const application of applications) {
    try {
      const place = checkOut(application, folder, mirror);
      const { milliseconds, files, ecosystems } = await judgeTree(place);
      all.push(...ecosystems);
      console.log(`${application.repository}: ${files} files, ${(milliseconds / 1000).toFixed(1)} s`);
      for (const figures of ecosystems) {
        console.log(`  ${figures.ecosystem.padEnd(10)}${figuresText([figures])}`);
        for (const one of figures.wrong) console.log(`    PLAYED DOWN ${wrongText(one)}`);
        for (const one of figures.named) console.log(`    named       ${wrongText(one)}`);
        const line = (kind: string) => (one: Wrong) =>
          [
            kind,
            application.repository,
            one.ecosystem,
            one.name,
            one.direct ? 'direct' : 'transitive',
            one.usage,
            one.place,
          ].join('\t');
        rows.push(...figures.wrong.map(line('used')), ...figures.named.map(line('named')));
        if (wrongFile !== undefined) writeFileSync(wrongFile, `${rows.join('\n')}\n`);
      }
    } catch (error) {
      failed += 1;
      console.log(`${application.repository}: FAILED ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  console.log(`\n${applications.length - failed} applications, ${failed} failed`);
  for (const [ecosystem, figures] of groupBy(all, (each) => each.ecosystem)) {
    console.log(`${ecosystem.padEnd(12)}${figuresText(figures)}`);
  }
  console.log(`${'all'.padEnd(12)}${figuresText(all)}`);
  console.log('goals: 0 played down, over 90.0 % judged, 0 not_used that are named');
  const direct = sum(all, (each) => each.direct);
  const judged = sum(all, (each) => each.judged);
  return failed === 0 && sum(all, ({ wrong }) => wrong.length) === 0 && judged >= minJudged * direct;
}

function applicationsIn(text: string): Application[] {
  return text.split('\n').flatMap((line) => {
    const [repository = '', commit = ''] = line.replace(/#.*/, '').trim().split(/\s+/);
    return repository === '' ? [] : { repository, commit };
  });
}

function figuresText(figures: readonly EcosystemFigures[]): string {
  const direct = sum(figures, (each) => each.direct);
  const judged = sum(figures, (each) => each.judged);
  const used = sum(figures, (each) => each.used ?? 0);
  const wrong = sum(figures, (each) => each.wrong.length);
  const notUsed = sum(figures, (each) => each.notUsed);
  // Of what is not_used, neither what the truth calls used nor what source names is sure.
  const unsure = sum(
    figures,
    ({ named, wrong: others }) =>
      new Set([...named, ...others.filter((one) => one.direct && one.usage === 'not_used')].map(({ name }) => name))
        .size,
  );
  const truth = figures.every((each) => each.used === null) ? 'no truth here' : `${used} used, ${wrong} played down`;
  return [
    `${sum(figures, (each) => each.packages)} packages, ${direct} direct, ${percent(judged, direct)} judged`,
    truth,
    `${notUsed} direct not_used, precision ${percent(notUsed - unsure, notUsed)}`,
  ].join('; ');
}

function wrongText({ name, direct, usage, place }: Wrong): string {
  return `${name} (${direct ? 'direct' : 'transitive'}, ${usage}): ${place}`;
}

function sum<Item>(items: readonly Item[], count: (item: Item) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`;
}
