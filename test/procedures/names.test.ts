import { expect, test } from 'vitest';
import { projectRef } from '../../src/procedures/wire.js';
import { unwrap } from '../../src/shared/schema/unwrap.js';
import { everyProcedure } from '../support/upstream.js';

const ofProject = everyProcedure.filter(([, { input }]) => 'project_id' in input.shape);

test.each(ofProject)('%s takes a project’s name', (_name, { input }) => {
  expect(unwrap(input.shape['project_id'])).toBe(projectRef);
});
