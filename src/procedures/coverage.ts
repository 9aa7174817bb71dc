import * as z from 'zod';
import { ecosystem } from '../shared/packages/ecosystem.js';
import { domain } from './risk.js';
import { timestamp } from './wire.js';

/** `not_affected` only where everything that could have found the opposite was searched, and was fresh. */
const coverageStatus = z.enum(['affected', 'not_affected', 'unknown']);
export type CoverageStatus = z.infer<typeof coverageStatus>;

const shape = z.object({
  status: coverageStatus,
  domains: z
    .array(z.object({ domain, status: coverageStatus }))
    .describe('what was searched, each with its own status'),
  feeds: z
    .array(z.object({ ecosystem, as_of: timestamp.nullable(), stale: z.boolean() }))
    .describe('the advisories asked; as_of null: none loaded'),
  known: z.boolean().describe('something we hold names the package, or the CVE'),
  gaps: z.array(z.string()).describe('what was not looked at; empty where nothing is missing'),
});

/** What an answer that can reassure was made from. One shape for all procedures. */
export const coverage = shape.describe('unknown is not safe: read gaps');
export type Coverage = z.output<typeof coverage>;

/** Gaps that one answer names, and characters of each. */
export const maxGaps = 8;
export const maxGapLength = 200;

/** Of a list: what stands behind it where it has no rows at all. Without a description, which every list would repeat. */
export const coverageOfNone = shape.nullable();
