import { describe, expect, test } from 'vitest';
import { explanation } from '../../../src/reach/report/explain.js';
import { chainToQs, dependency } from './wire-report.js';

describe('an explanation', () => {
  test('shows the chain that loads a package, each package once', () => {
    const text = explanation(dependency({ confidence: 'high', chain: chainToQs }));
    expect(text).toBe(
      'pkg:npm/qs@6.5.2: loaded (runtime, not direct, confidence high)\n  loaded by: src/app.ts:12 -> express -> body-parser -> qs\n',
    );
  });

  test('shows why a use may have been missed', () => {
    const gaps = ['src/plugins.js:4 require(name)'];
    const text = explanation(dependency({ usage: 'transitive', confidence: 'low', gaps }));
    expect(text).toBe(
      'pkg:npm/qs@6.5.2: transitive (runtime, not direct, confidence low)\n  a use may be hidden: src/plugins.js:4 require(name)\n',
    );
  });

  test('writes nothing that a terminal would obey', () => {
    expect(explanation(dependency({ gaps: ['a\u001b[2Jb'] }))).not.toContain('\u001b');
  });
});
