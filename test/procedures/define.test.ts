import { expect, test } from 'vitest';
import * as z from 'zod';
import { defineProcedure, shownOnce } from '../../src/procedures/define.js';

const definition = {
  access: 'write',
  http: 'POST /api/keys',
  title: '',
  description: '',
  input: z.object({}),
} as const;

test('a definition whose answer holds a secret does not compile without saying so, and no other says so', () => {
  const secret = z.object({ key: shownOnce(z.string()) });
  expect(defineProcedure({ ...definition, output: secret, answersSecret: true }).answersSecret).toBe(true);
  // @ts-expect-error The key would be kept for repeated requests.
  defineProcedure({ ...definition, output: secret });
  // @ts-expect-error Nothing in it is a secret.
  defineProcedure({ ...definition, output: z.object({ name: z.string() }), answersSecret: true });
});
