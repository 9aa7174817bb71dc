/** The statements that cannot be answered by the shard of one organisation, by the reason. Their names are in docs/beyond-one-machine.md too. */
export const crossing = {
  /** Somebody has a key, a token or an address, and no more. The tables are whole (`wholeTables`): one look-up by a unique key. */
  beforeTheOrganisationIsKnown: [
    { statement: 'select "api_keys"."organisation_id"', tables: 'api_keys', what: 'whose a key is' },
    {
      statement: 'select "sessions"."organisation_id", "sessions"."expires_at", "organisations"."plan"',
      tables: 'members, sessions',
      what: 'whose a session is',
    },
    {
      statement: 'select "password_hash" from "members" where "email" = ?',
      tables: 'members',
      what: 'with which salt the password of an address is hashed',
    },
    {
      statement: 'select "members"."organisation_id", "members"."id", "members"."name", "members"."password_hash"',
      tables: 'members',
      what: 'who signs in by that password',
    },
    {
      statement: 'select "m"."organisation_id" as "organisationId", "o"."name" as "organisationName"',
      tables: 'identities, members, organisations',
      what: 'whose accounts a person has whom an issuer names',
    },
    {
      statement: 'select "b"."organisation_id", "o"."name" as "organisation_name", "b"."id", "b"."joins"',
      tables: 'issuers, organisations',
      what: 'which organisations take that issuer',
    },
    {
      statement:
        'select "organisation_id" from "issuers" where "issuer" = ? and "client_id" is null and "organisation_id"',
      tables: 'issuers',
      what: 'to which of them a person may switch',
    },
    {
      statement: 'select "id" from "issuers" where "issuer" = ? and "client_id" is null and "groups_claim" is not null',
      tables: 'issuers',
      what: 'whether any organisation asks the server’s issuer for groups',
    },
    {
      statement:
        'select "organisation_id", "id", "issuer", "client_id", "client_secret", "groups_claim" from "issuers"',
      tables: 'issuers',
      what: 'for which client an issuer says that somebody has signed out',
    },
    {
      statement: 'select "i"."organisation_id", "i"."id", "i"."member_id" from "identities" as "i"',
      tables: 'identities, issuers',
      what: 'whose sessions end then',
    },
    {
      statement: 'select "organisation_id" from "email_domains" where "domain" = ?',
      tables: 'email_domains',
      what: 'whose an e-mail domain is',
    },
    {
      statement: 'update "email_domains" set "proven_by" = ? where "domain" = ? and "organisation_id" <> ?',
      tables: 'email_domains',
      what: 'who had a domain before it was shown to be another’s',
    },
    {
      statement:
        'select "organisation_id", "id", "email" from "members" where "email" = ? and "deactivated_at" is null',
      tables: 'members',
      what: 'whose password an operator resets',
    },
    {
      statement: 'update "invites" set "accepted_at" = ? where "token_hash" = ?',
      tables: 'invites',
      what: 'an invite that is accepted',
    },
    {
      statement: 'select "email", "expires_at", "accepted_at", "revoked_at" from "invites" where "token_hash" = ?',
      tables: 'invites',
      what: 'why an invite is not',
    },
    {
      statement: 'select "organisation_id", "member_id", "id", "mailed" from "password_resets" where "token_hash" = ?',
      tables: 'password_resets',
      what: 'a reset that is used',
    },
    {
      statement: 'delete from "sessions" where "id" in (select "id" from "sessions" where "expires_at" <= ?',
      tables: 'sessions',
      what: 'with a sign-in, a few sessions that have expired',
    },
  ],
  /** The operator's, or once at a start. */
  ofTheOperator: [
    {
      statement: 'select "id" from "organisations" limit ?',
      tables: 'organisations',
      what: 'at a start: whether there is any',
    },
    {
      statement: /^select (count\(\*\)::int as "total"|"id", "name", "contact_email".*) from "organisations"/,
      tables: 'organisations',
      what: 'the list of organisations',
    },
    {
      statement: 'select "organisation_id", "id", "project_id", "procedure", "instance", "state", "phase", "done"',
      tables: 'uploads',
      what: 'the list of jobs: uploads under way',
    },
    {
      statement: `select count(*) filter (where state = 'queued')::int as queued`,
      tables: 'uploads',
      what: 'how many there are',
    },
    {
      statement: 'select "organisation_id", "id", "url", "secret" from "webhooks" where (url not like',
      tables: 'webhooks',
      what: 'at a start: addresses that an earlier version stored in clear',
    },
  ],
  /** Rounds of background work ask all organisations what is due, by partial indexes; the work itself is bound to one. */
  whatIsDue: [
    {
      statement: 'with running as ( select * from unnest(',
      tables: 'webhook_deliveries, webhooks',
      what: 'deliveries of webhooks, every second',
    },
    {
      statement:
        'select "organisation_id" as "organisationId", "id" as "projectId" from "projects" where ("alerts_due_after" is not null',
      tables: 'change_sets, projects',
      what: 'unfinished assessments, every second',
    },
    {
      statement:
        'select "organisation_id", "project_id", "ref", "id" from "container_images" where "evaluated_to" is not null',
      tables: 'change_sets, container_images',
      what: 'unfinished evaluations of images',
    },
    {
      statement: `select organisation_id as "organisationId", id from change_sets where state <> 'landed' and lease_until < now()`,
      tables: 'change_sets',
      what: 'landings to undo',
    },
    {
      statement: `select organisation_id as "organisationId", id from change_sets where state = 'landed'`,
      tables: 'change_sets',
      what: 'landings to sweep',
    },
    {
      statement:
        'select "organisation_id" as "organisationId", "id" as "projectId" from "projects" where "removed_at" is not null',
      tables: 'projects',
      what: 'projects to clear',
    },
    {
      statement:
        'select distinct "organisation_id" as "organisationId", "project_id" as "projectId" from "verdicts" where "override_expires_at" <= ?',
      tables: 'verdicts',
      what: 'overrides to end, every minute',
    },
    {
      statement:
        'select organisation_id as "organisationId", id as "projectId", lists_due_at::text as "dueAt" from projects',
      tables: 'projects',
      what: 'projects for whose packages registries are to be asked, every 5 seconds',
    },
    {
      statement: 'update "uploads" set "lease_until" = ? where "instance" = ?',
      tables: 'uploads',
      what: 'leases of an instance’s uploads',
    },
    {
      statement: 'select "organisation_id", "id" from "uploads" where "state" in (?…) and "lease_until" < ?',
      tables: 'uploads',
      what: 'uploads that an instance has left',
    },
  ],
  /** What the operator's sink gets is of all organisations. */
  ofTheAuditSink: [
    {
      statement: 'update audit_sink set holder = ?',
      tables: 'audit_outbox',
      what: 'whether entries wait for the audit sink, every second',
    },
    {
      statement: 'select log.* from audit_outbox as waiting',
      tables: 'audit_log, audit_outbox',
      what: 'the oldest of them',
    },
    {
      statement: 'delete from audit_outbox using unnest(',
      tables: 'audit_outbox',
      what: 'those that it has taken',
    },
  ],
  /** Rounds that delete, a few hundred or thousand rows in each transaction. */
  whatIsOld: [
    {
      statement: 'delete from webhook_deliveries where (organisation_id, id) in (',
      tables: 'webhook_deliveries',
      what: 'deliveries of last month, every hour',
    },
    {
      statement: 'delete from uploads where (organisation_id, id) in (',
      tables: 'uploads',
      what: 'uploads of last week',
    },
    {
      statement: 'delete from alert_events where ctid = any (',
      tables: 'alert_events',
      what: 'events of alerts of more than a year ago, every hour',
    },
  ],
  /** New intelligence is of no organisation: what it concerns is looked for in all, in pages; the work itself is bound to one. */
  afterAFeed: [
    {
      statement: 'select distinct ecosystem, package_name from alerts where cves &&',
      tables: 'alerts',
      what: 'packages that a new score or KEV entry concerns',
    },
    {
      statement: 'select distinct organisation_id, ecosystem, package_name from tech_stack_items',
      tables: 'tech_stack_items',
      what: 'packages that anybody tracks',
    },
    {
      statement: 'select organisation_id as "organisationId", id as "projectId", exists ( select from unnest(',
      tables: 'projects, tech_stack_items',
      what: 'projects that an advisory concerns',
    },
    {
      statement: 'select "organisation_id", "project_id", "ref" from "container_images" where "monitored" = ?',
      tables: 'change_sets, container_images',
      what: 'images that are monitored',
    },
  ],
  /** Triggers that count ask which landings are open: a row for each upload that is being written. */
  openLandings: [
    {
      statement:
        'insert into posture_counts as kept (organisation_id, domain, source, project_id, state, tier, severity, band, change_set, count)',
      tables: 'change_sets',
      what: 'counts of findings',
    },
    {
      statement: 'insert into posture_days as kept (organisation_id, domain, day, project_id, tier, change_set,',
      tables: 'change_sets',
      what: 'counts of findings by day',
    },
    { statement: 'insert into stack_counts as kept', tables: 'change_sets', what: 'counts of packages' },
  ],
  /**
   * Rows that were found in one shard, then named by their place: each shard is asked for the places, and none but the first has such
   * rows there. A condition on the organisation beside the places would be answered by an index, at the cost of a thousand times as many
   * comparisons.
   */
  byPlace: [
    {
      statement:
        /^delete from "\w+" where ctid = any \(array\(select ctid from "\w+" where "organisation_id" = \? and "project_id" = \?/,
      what: 'rows of a deleted project',
    },
    {
      statement:
        /^update "\w+" set removed_in = 0 where ctid = any \(array\( select ctid from "\w+" where organisation_id = \?/,
      what: 'what a landing that is undone had removed',
    },
    {
      statement:
        /^delete from "\w+" where ctid = any \(array\( select ctid from "\w+" where organisation_id = \? and removed_in/,
      what: 'what a landing has removed',
    },
    {
      statement:
        /^with moved as \( delete from "\w+" where ctid = any \(array\( select ctid from "\w+" where organisation_id = \?/,
      what: 'counts of a landing',
    },
  ],
};
