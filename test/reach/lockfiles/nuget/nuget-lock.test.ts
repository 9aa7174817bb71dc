import { expect, test } from 'vitest';
import { byKey, found, readFrom } from '../reading.js';

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
  expect(read.skipped).toEqual([{ reason: 'is a folder of the project', count: 1 }]);
});
