import { describe, expect, test } from 'vitest';
import { mayLoadByName } from '../../../../../src/reach/languages/javascript/entries/loading-words.js';

describe('a text may load code by name', () => {
  test.each([
    'fork("./a.js")',
    'jobs.fork(`${root}/a.js`)',
    'fork(new URL("./a.js", base))',
    'fork(require.resolve("./a"))',
    "const job$ = on ? './a.js' : other; fork(job$)",
    "import { fork } from 'node:child_process'; fork(job)",
    "readdir('x', load); require(name)",
  ])('%s', (text) => {
    expect(mayLoadByName(text)).toBe(true);
  });

  test.each([
    'Effect.fork(Effect.fail("x"))',
    "import x from './a.js'; scope.fork(strategy)",
    'fork(core.onError(self, report("x")))',
    'if (job === "x") fork(job)',
  ])('not by %s', (text) => {
    expect(mayLoadByName(text)).toBe(false);
  });
});
