import { expect, test } from 'vitest';
import { byKey, found, readFrom } from '../reading.js';

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
  expect(read.skipped.map(({ count }) => count)).toEqual([1, 1, 1]);
});
