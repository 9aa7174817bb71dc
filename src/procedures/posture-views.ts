import * as z from 'zod';
import { defineQuery } from './define.js';
import { tierCounts } from './findings.js';
import { verdictCounts, windowDays } from './posture-parts.js';
import { groupOfProject } from './projects.js';
import type { Domain } from './risk.js';
import { exposure } from './vulnerability.js';
import { groupRef, id, line, pageInput, pageOf, someProjects, timestamp } from './wire.js';

const ofEachDomain = <Schema extends z.ZodType>(schema: Schema) =>
  z.object({
    dependencies: schema,
    code: schema,
    running_app: schema,
    containers: schema,
  } satisfies Record<Domain, z.ZodType>);

/** Days of a trend at most: the window's, and today. */
const maxTrendDays = 91;

const series = z.object({
  known_since: timestamp.nullable().describe('when it was first looked at; null: never. There are no days before that'),
  days: z
    .array(
      z.object({
        day: z.iso.date().describe('UTC; the last one is today, until now'),
        open: tierCounts.describe('at its end, by the tier of now'),
        new: z.int().describe('first seen that day'),
        resolved: z.int().describe('stopped being open that day, for the last time so far'),
      }),
    )
    .max(maxTrendDays),
});

const projectPosture = z.object({
  id,
  name: z.string(),
  exposure,
  group: groupOfProject.nullable(),
  open: ofEachDomain(tierCounts),
  verdicts: verdictCounts,
  known_exploited: z.int().describe('open alerts and findings in all domains'),
  highest_effective_priority: z.number().nullable().describe('of open alerts; null: none has a verdict'),
  packages: z.int().describe('tracked, each manifest counted'),
  stack_changed_at: timestamp.nullable().describe('null: no stack was ever there'),
  usage_reported_at: timestamp.nullable().describe('when the newest usage report came; null: never'),
  scanned_at: z
    .object({ code: timestamp.nullable(), running_app: timestamp.nullable(), containers: timestamp.nullable() })
    .describe('the last scan; null: never'),
});

/** What a dashboard shows of many projects. Each answer is bounded, whatever the number of findings. */
export const postureViews = {
  getTrend: defineQuery({
    tool: 'get_posture_trend',
    beyond: true,
    http: 'GET /api/posture/trend',
    title: 'Get the trend',
    description: 'Open, new and resolved findings of each day (UTC) of a window, in all and by domain.',
    input: z.strictObject({ ...someProjects, window_days: windowDays }),
    output: z.object({
      since: timestamp.describe('the midnight (UTC) that the window begins with'),
      window_days: z.int(),
      all: series,
      domains: ofEachDomain(series),
    }),
  }),
  listProjects: defineQuery({
    tool: 'rank_projects',
    beyond: true,
    http: 'GET /api/posture/projects',
    title: 'List the posture of projects',
    description:
      'Projects with what is open in each. Worst first: most known exploited, then the highest EffectivePriority (RED without a verdict counts 60, YELLOW 30), then most RED and YELLOW, then by name.',
    input: pageInput({
      group: groupRef.optional(),
      q: line(200).optional().describe('part of the name'),
      sort: z.enum(['worst', 'name']).default('worst'),
    }),
    output: pageOf(projectPosture),
  }),
};
