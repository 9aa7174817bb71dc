import { expect, test } from 'vitest';
import { projectRef } from '../../src/procedures/wire.js';
import { unwrap } from '../../src/shared/schema/unwrap.js';
import { everyProcedure } from '../support/upstream.js';

const ofProject = everyProcedure.filter(([, { input }]) => 'project_id' in input.shape);

test.each(ofProject)('%s takes a project’s name', (_name, { input }) => {
  expect(unwrap(input.shape['project_id'])).toBe(projectRef);
});

test.each(['', '.', '..', '../x', 'a/../b', 'a\\..\\b', './x', 'x/..', 'a\u0000b', 'x'.repeat(201)])(
  '%j is no name: it could be another path',
  (name) => {
    expect(projectRef.safeParse(name).success).toBe(false);
  },
);

test.each(['acme/shop', 'a..b', 'shop v1.2', '…', '.github'])('%j is one', (name) => {
  expect(projectRef.safeParse(name).success).toBe(true);
});
