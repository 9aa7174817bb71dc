import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ecosystems } from '../../../src/shared/packages/ecosystem.js';

test('the README names every ecosystem', () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
  expect(readme).toContain(`\n- Ecosystems: ${ecosystems.join(', ')}.\n`);
});
