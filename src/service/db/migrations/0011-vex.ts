import { type Kysely, sql } from 'kysely';
import { protectTenantTable } from './protect-tenant-table.js';

const statements = [
  `create table vex_documents (
    organisation_id text not null,
    id text not null,
    project_id text not null,
    format text not null,
    name text,
    version text,
    author text,
    issued_at timestamptz,
    content_hash bytea not null,
    uploaded_by text not null,
    uploaded_at timestamptz not null default now(),
    primary key (organisation_id, id),
    unique (organisation_id, project_id, content_hash),
    foreign key (organisation_id, project_id) references projects on delete cascade
  )`,
  'create index vex_documents_of_author on vex_documents (organisation_id, project_id, author)',
  `create table vex_proposals (
    organisation_id text not null,
    id text not null,
    project_id text not null,
    document_id text not null,
    verdict_id text not null,
    verdict text not null check (verdict in ('NotExploitable', 'Exploitable')),
    state text not null check (state in ('pending', 'accepted', 'rejected', 'superseded')),
    reason text not null,
    status text not null,
    product text not null,
    justification text,
    detail text,
    pointer text not null,
    created_at timestamptz not null default now(),
    decided_by text,
    decided_at timestamptz,
    decision_reason text,
    primary key (organisation_id, id),
    unique (organisation_id, document_id, verdict_id, verdict),
    foreign key (organisation_id, project_id) references projects on delete cascade,
    foreign key (organisation_id, document_id) references vex_documents on delete cascade,
    foreign key (organisation_id, verdict_id) references verdicts on delete cascade,
    check ((state in ('accepted', 'rejected')) = (decided_by is not null and decided_at is not null))
  )`,
  'create index vex_proposals_newest on vex_proposals (organisation_id, project_id, created_at desc, id desc)',
  // What an entry of the audit log is about, as it was called then: what it names may be renamed or deleted later.
  `alter table audit_log add column project_id text, add column project_name text, add column vulnerability_id text,
    add column package text`,
  'create index audit_log_of_project on audit_log (organisation_id, project_id, at desc, id desc)',
  'create index audit_log_of_actor on audit_log (organisation_id, actor_id, at desc, id desc)',
  'create index audit_log_of_actor_name on audit_log (organisation_id, lower(actor_name))',
  'create index advisories_by_alias on advisories using gin (aliases)',
  'create index vex_proposals_of_verdict on vex_proposals (organisation_id, verdict_id)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
  await protectTenantTable(db, 'vex_documents', 'select, insert');
  await protectTenantTable(db, 'vex_proposals', 'select, insert, update');
}
