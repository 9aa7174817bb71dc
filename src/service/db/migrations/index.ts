import type { Migration } from 'kysely';
import * as first from './0001-first.js';
import * as verdicts from './0002-verdicts.js';
import * as findings from './0003-findings.js';
import * as webhooks from './0004-webhooks.js';

/** Every migration by its name, in order. A released one never changes. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-first': first,
  '0002-verdicts': verdicts,
  '0003-findings': findings,
  '0004-webhooks': webhooks,
};
