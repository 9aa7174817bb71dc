import * as z from 'zod';
import { ecosystem } from '../shared/packages/ecosystem.js';
import { defineQuery } from './define.js';
import { timestamp } from './wire.js';

const feed = z.object({
  name: z.string().describe('as osv:npm, epss, kev, symbols:…'),
  kind: z.enum(['osv', 'epss', 'kev', 'symbols']),
  version: z.string().nullable(),
  as_of: timestamp.nullable().describe('when its content is from'),
  loaded_at: timestamp,
  records: z.int(),
  unread: z.int().describe('records that could not be read'),
  complete: z.boolean().describe('false during a load, and after one that was interrupted'),
  stale: z.boolean().describe('incomplete, or older than 7 days'),
  covers: z.array(ecosystem).describe('ecosystems whose advisories it has completely'),
});

/** What the answers of `intelligence` are made from. */
export const getFeeds = defineQuery({
  tool: 'get_feeds',
  beyond: true,
  http: 'GET /api/intelligence/feeds',
  title: 'Get the feeds',
  description: 'The intelligence that is loaded: how much, and how old.',
  input: z.strictObject({}),
  output: z.object({
    feeds: z.array(feed),
    ecosystems: z
      .array(
        z.object({
          ecosystem,
          as_of: timestamp.nullable().describe('null: no feed has it completely'),
          stale: z.boolean(),
          tracked: z.boolean().describe('the organisation tracks packages of it'),
        }),
      )
      .describe('each whose packages can be tracked'),
    stale: z.boolean().describe('advisories, EPSS or KEV are absent or older than 7 days'),
    next_sync_at: timestamp.nullable().describe('null: none is scheduled'),
  }),
});
