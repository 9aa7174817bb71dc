import { expect, test } from 'vitest';
import { asksIn, byKey, found, readFrom } from '../reading.js';

test('Pipfile.lock', async () => {
  const read = await readFrom({
    'Pipfile.lock': {
      _meta: { 'pipfile-spec': 6 },
      default: {
        Flask: { version: '==3.0.0' },
        local: { path: '.', editable: true },
        gitty: { git: 'https://x.example' },
      },
      develop: { flask: { version: '==3.0.0' }, pytest: { version: '==8.0.0' }, odd: {} },
    },
    Pipfile: '[packages]\nflask = "*"\n',
  });
  expect(byKey(read)).toEqual({
    'flask@3.0.0': { name: 'Flask', ...found('3.0.0', 'runtime', true) },
    'pytest@8.0.0': { name: 'pytest', ...found('8.0.0', 'development', false) },
  });
  expect(asksIn(read)).toEqual(['Pipfile -> flask@3.0.0: *']);
  expect(read.skipped.map(({ count }) => count)).toEqual([1, 1, 1]);
});

test('the Pipfile states ranges as text or in a table', async () => {
  const locked = Object.fromEntries(['a', 'b', 'c'].map((name) => [name, { version: '==1.0' }]));
  const read = await readFrom({
    'Pipfile.lock': { _meta: {}, default: locked },
    Pipfile: '[packages]\nA = "~=1.0"\nb = {version = ">=1", extras = ["x"]}\n[dev-packages]\nc = {editable = true}\n',
  });
  expect(asksIn(read)).toEqual(['Pipfile -> a@1.0: ~=1.0', 'Pipfile -> b@1.0: >=1', 'Pipfile -> c@1.0: ?']);
});
