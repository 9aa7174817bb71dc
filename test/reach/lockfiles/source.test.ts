import { expect, test } from 'vitest';
import { readFrom } from './reading.js';

test('TOML: a fault is told with its place and none of the text; depth and names of objects do no harm', async () => {
  const error = await readFrom({ 'uv.lock': 'version = 1\nurl = "https://token@example.org' }).catch(String);
  expect(error).toMatch(/uv\.lock: line 2, column \d+: is not TOML: /);
  expect(error).not.toContain('token');
  await expect(readFrom({ 'uv.lock': `version = 1\na = ${'['.repeat(1_000_000)}` })).rejects.toThrow('is not TOML');
  const read = await readFrom({
    'Cargo.lock':
      '[__proto__]\npolluted = 1\n[[package]]\nname = "constructor"\nversion = "1.0.0"\nsource = "registry+x"\n',
  });
  expect(read.packages.map(({ name }) => name)).toEqual(['constructor']);
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
});
