import { expect, test } from 'vitest';
import { byKey, found, rangesIn, readFrom } from '../reading.js';

test('packages.lock.json, for every framework', async () => {
  const read = await readFrom({
    'packages.lock.json': {
      version: 1,
      dependencies: {
        'net6.0': {
          'Newtonsoft.Json': { type: 'Transitive', resolved: '13.0.1' },
          Serilog: { type: 'Direct', resolved: '3.0.0', dependencies: { 'newtonsoft.json': '13.0.1' } },
          app: { type: 'Project' },
        },
        'net8.0': { 'Newtonsoft.Json': { type: 'Direct', resolved: '13.0.1' } },
      },
    },
  });
  expect(byKey(read)).toEqual({
    'newtonsoft.json@13.0.1': { name: 'Newtonsoft.Json', ...found('13.0.1', 'runtime', true) },
    'serilog@3.0.0': { name: 'Serilog', ...found('3.0.0', 'runtime', true, ['newtonsoft.json@13.0.1']) },
  });
  expect(rangesIn(read)).toEqual(['serilog@3.0.0 -> newtonsoft.json@13.0.1: 13.0.1']);
  expect(read.skipped).toEqual([{ reason: 'is a folder of the project', count: 1 }]);
});

test('a range that differs between frameworks is not known', async () => {
  const framework = (range: string) => ({
    A: { type: 'Direct', resolved: '2.0.0', dependencies: { B: range, C: '[1.0.0, 2.0.0)' } },
    B: { type: 'Transitive', resolved: '2.0.0' },
    C: { type: 'Transitive', resolved: '1.5.0' },
  });
  const dependencies = { 'net6.0': framework('1.0.0'), 'net8.0': framework('2.0.0') };
  expect(rangesIn(await readFrom({ 'packages.lock.json': { version: 1, dependencies } }))).toEqual([
    'a@2.0.0 -> b@2.0.0: ?',
    'a@2.0.0 -> c@1.5.0: [1.0.0, 2.0.0)',
  ]);
});
