import { describe, expect, test } from 'vitest';
import type { WireReport } from '../../../src/reach/analysis/site-evidence.js';
import { analysisText } from '../../../src/reach/commands/analyze-text.js';
import type { SearchedEcosystem } from '../../../src/reach/report/searched.js';
import { wireReport } from '../report/wire-report.js';

const npm: SearchedEcosystem = {
  ecosystem: 'npm',
  packages: 1200,
  files: 512,
  evidence: ['source', 'installed'],
  judged: 1188,
  gaps: [
    { kind: 'unknown_dynamic', file: 'src/a.js', line: 12, detail: 'import(name)', hides: 12 },
    { kind: 'unknown_dynamic', file: 'src/b.js', line: 3, detail: 'require(other)', hides: 2 },
    { kind: 'unresolved_import', file: 'src/c.js', line: 1, detail: './gone.js', hides: 1 },
  ],
  gap_count: 3,
};
const nuget: SearchedEcosystem = {
  ecosystem: 'NuGet',
  packages: 81,
  files: 0,
  evidence: [],
  judged: 0,
  gaps: [{ kind: 'no_source', file: 'packages.lock.json', line: null, detail: 'C# is not read', hides: 81 }],
  gap_count: 1,
};

function textOf(ecosystems: SearchedEcosystem[], verbose = false, more: Partial<WireReport> = {}): string {
  const report = wireReport({ ecosystems, ...more });
  const result = { projectId: null, report, faults: [], output: null, upload: null, verdicts: null, error: null };
  return analysisText(result, verbose);
}

describe('the summary of an analysis', () => {
  test('begins with what could not be judged, and why, for each ecosystem', () => {
    const lines = textOf([npm, nuget]).split('\n');
    expect(lines.slice(0, 3)).toEqual([
      'Not judged, so these packages count as maybe used:',
      '  npm        12 of 1,200: 2 imports whose targets only a run can say, as src/a.js:12 import(name); 1 import of a file that is not there: src/c.js:1 ./gone.js',
      '  NuGet      81 of 81: no source of its languages was read',
    ]);
  });

  test('says of each ecosystem what was read, on which evidence, and how much that judges', () => {
    expect(textOf([npm, nuget])).toContain(
      [
        '  npm        1,200 packages, 512 files, by source and installed packages: 1,188 judged, 12 unknown',
        '  NuGet      81 packages, 0 files: 0 judged, 81 unknown',
      ].join('\n'),
    );
  });

  test('says nothing of gaps where every package is judged', () => {
    const text = textOf([{ ...npm, judged: 1200, gaps: [], gap_count: 0 }]);
    expect(text.startsWith('Read 3 files')).toBe(true);
    expect(textOf([{ ...npm, judged: 1200, gaps: [], gap_count: 0 }], true)).not.toContain('may be hidden');
  });

  test('of a tree without source says that nothing was read', () => {
    expect(textOf([nuget])).toMatch(/^Nothing was read: .*Is it the right folder\?\n/);
    expect(textOf([npm, nuget])).not.toContain('Nothing was read');
  });

  test('lists every gap with --verbose, and how many the report leaves out', () => {
    const text = textOf([{ ...npm, gap_count: 5 }], true);
    expect(text).toContain(
      [
        'Where a use of npm packages may be hidden:',
        '  src/a.js:12 import(name) (unknown_dynamic), may hide 12 packages',
        '  src/b.js:3 require(other) (unknown_dynamic), may hide 2 packages',
        '  src/c.js:1 ./gone.js (unresolved_import), may hide 1 package',
        '  and 2 more',
      ].join('\n'),
    );
    expect(textOf([npm])).not.toContain('src/b.js');
  });
});
