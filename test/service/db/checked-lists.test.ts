import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import {
  exposures,
  findingSeverities,
  overrideVerdicts,
  scopes,
  severities,
  tiers,
} from '../../../src/shared/vulnerability-terms.js';
import { testDatabase } from '../../support/database.js';

/** The SQL checks that repeat a list of the code, as `table.column`. */
const checked: ReadonlyArray<readonly [column: string, list: readonly string[]]> = [
  ['projects.exposure', exposures],
  ['tech_stack_items.scope', scopes],
  ['usage_dependencies.scope', scopes],
  ['advisories.severity', severities],
  ['alerts.severity', severities],
  ['alerts.tier', tiers],
  ['findings.severity', findingSeverities],
  ['findings.tier', tiers],
  ['verdicts.override_verdict', overrideVerdicts],
];

/** The texts that a column's check allows. */
async function allowedBy(column: string): Promise<string[]> {
  const database = await testDatabase();
  const [table = '', name = ''] = column.split('.');
  const { rows } = await database.system((tx) =>
    sql<{ definition: string }>`
      select pg_get_constraintdef(oid) as definition from pg_constraint
      where contype = 'c' and conrelid = ${table}::regclass and conkey = (
        select array_agg(attnum) from pg_attribute where attrelid = ${table}::regclass and attname = ${name}
      )`.execute(tx),
  );
  return rows.flatMap(({ definition }) => [...definition.matchAll(/'([^']+)'::text/g)].map(([, text = '']) => text));
}

describe('the checks of the database allow exactly what the lists of the code hold', () => {
  test.each(checked)('%s', async (column, list) => {
    expect((await allowedBy(column)).sort()).toEqual([...list].sort());
  });
});
