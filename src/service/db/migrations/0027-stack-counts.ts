import { type Kysely, sql } from 'kysely';
import { bindToProjects } from './bound-keys.js';
import { bySet } from './change-set-counts.js';
import { countingTriggers, ofKeptProject, type Signed, signed } from './count-triggers.js';

const organisation = `nullif(current_setting('postern.organisation_id', true), '')`;
const hidden = '(select hidden_sets())::bigint[]';

/**
 * The packages that a project tracks, kept by the database as posture_counts is (record 21): to count them would be to read
 * them. `first_at`: since when the project has a stack. `changed_at`: when anything of it changed last.
 */
const table = [
  `create table stack_counts (
    organisation_id text not null,
    project_id text not null,
    change_set bigint not null default 0,
    packages bigint not null,
    first_at timestamptz not null,
    changed_at timestamptz not null,
    primary key (organisation_id, project_id, change_set),
    foreign key (organisation_id, project_id) references projects on delete cascade
  )`,
  'create index stack_counts_of_set on stack_counts (change_set) where change_set <> 0',
  'alter table stack_counts enable row level security',
  `create policy own_rows on stack_counts to postern_tenant
    using (organisation_id = ${organisation} and case when change_set = 0 then true else change_set <> all (${hidden}) end)
    with check (organisation_id = ${organisation})`,
  'grant select on stack_counts to postern_tenant',
];

/** A row that is marked, or swept after its set has landed, changes neither the number nor a time of the sets that see it. */
const isChange = `sum(sign) <> 0
  or max(updated_at) filter (where side = 1) > max(updated_at) filter (where side = -1)`;

const countPackages = (rows: Signed) => `
  insert into stack_counts as kept (organisation_id, project_id, change_set, packages, first_at, changed_at)
  select organisation_id, project_id, change_set, sum(sign), min(added_at),
    case when sum(sign) < 0 then greatest(max(updated_at), now()) else max(updated_at) end
  from (${signed(rows, (from, sign) =>
    bySet(from, `organisation_id, project_id, added_at, updated_at, ${sign} as side`, sign),
  )}) as counted
  where ${ofKeptProject}
  group by organisation_id, project_id, change_set
  having ${isChange}
  order by project_id, change_set
  on conflict (organisation_id, project_id, change_set) do update set packages = kept.packages + excluded.packages,
    first_at = least(kept.first_at, excluded.first_at), changed_at = greatest(kept.changed_at, excluded.changed_at);`;

export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db);
  for (const { schema } of rows) {
    const triggers = countingTriggers(schema, 'tech_stack_items', [countPackages]);
    const statements = [...table, ...triggers, countPackages([['tech_stack_items', '+']])];
    for (const statement of statements) await sql.raw(statement).execute(db);
  }
  await bindToProjects(db, 'stack_counts');
}
