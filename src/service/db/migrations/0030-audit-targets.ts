import { type Kysely, sql } from 'kysely';

/** What the audit log says of one thing, one vulnerability or one package. Most entries are about neither of the last two. */
const statements = [
  'create index audit_log_of_target on audit_log (organisation_id, target_id, at desc, id desc)',
  `create index audit_log_of_vulnerability on audit_log (organisation_id, vulnerability_id, at desc, id desc)
    where vulnerability_id is not null`,
  `create index audit_log_of_package on audit_log (organisation_id, package, at desc, id desc) where package is not null`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
