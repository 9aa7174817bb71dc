import { describe, expect, test } from 'vitest';
import { analyzeTree } from '../../src/reach/analysis/analyze-tree.js';
import { parsePurl } from '../../src/shared/packages/purl.js';
import type { Usage } from '../../src/shared/vulnerability-terms.js';
import { formula } from '../../src/verdict/formula.js';
import { javascriptTraps } from '../support/traps/javascript.js';
import { judgedTraps } from '../support/traps/judged-packages.js';
import { otherTraps } from '../support/traps/other-languages.js';
import { usageClassOf } from '../support/usage-class.js';
import { folderWith } from './folder.js';

/** The class of each package, by its name, as the service computes it from the report. */
async function classesOf(files: Readonly<Record<string, string>>): Promise<ReadonlyMap<string, Usage>> {
  const { report } = await analyzeTree({
    folder: folderWith(files),
    entries: [],
    version: '9.8.7',
    progress: () => {},
  });
  return new Map(
    report.dependencies.map((dependency) => [
      parsePurl(dependency.purl)?.name ?? dependency.purl,
      usageClassOf(dependency, report.complete).usage,
    ]),
  );
}

describe('no package that production uses is played down', () => {
  test.each([...javascriptTraps, ...judgedTraps, ...otherTraps])('$name', async ({ files, used, exactly = {} }) => {
    const classes = await classesOf(files);
    const played = used.filter((name) => {
      const usage = classes.get(name);
      return usage === undefined || formula.usage[usage] < formula.usage.transitive_only;
    });
    expect(played.map((name) => `${name} ${classes.get(name)}`)).toEqual([]);
    expect(Object.fromEntries(Object.keys(exactly).map((name) => [name, classes.get(name)]))).toEqual(exactly);
  });
});
