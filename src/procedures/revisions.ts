import * as z from 'zod';
import { defineQuery } from './define.js';
import { generated } from './texts.js';
import { id } from './wire.js';

/** Projects, and alerts, that one call asks about. */
export const maxRevisions = 100;

const ids = z
  .string()
  .regex(new RegExp(`^[A-Za-z0-9_-]{1,64}(,[A-Za-z0-9_-]{1,64}){0,${maxRevisions - 1}}$`), {
    error: `takes ids separated by commas, at most ${maxRevisions}`,
  })
  .optional()
  .describe('ids, separated by commas');

const revisions = z.array(z.object({ id, revision: generated(z.string()) })).max(maxRevisions);

/** Asked again and again by who waits for a change: it is cheap, and shows nothing of what has changed. */
export const getRevisions = defineQuery({
  unaudited: true,
  http: 'GET /api/posture/revisions',
  title: 'Get revisions',
  description:
    'What differs once the posture of all projects, of one, or an alert has changed. Compare it with the last one; it says nothing else. What is not there, or not for the caller, has none.',
  input: z.strictObject({ projects: ids, alerts: ids }),
  output: z.object({ posture: generated(z.string()), projects: revisions, alerts: revisions }),
});
