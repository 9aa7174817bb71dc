import { sql } from 'kysely';
import type { Usage } from '../../shared/vulnerability-terms.js';
import type { EffectiveVerdict } from '../../verdict/band.js';
import type { StoredEvidence } from '../../verdict/evidence.js';
import { formula } from '../../verdict/formula.js';
import type { Transaction } from '../db/database.js';
import type { ProjectKey } from '../projects/find-project.js';

/** A verdict that is new or differs from the stored one. */
export interface ComputedVerdict {
  readonly id: string;
  readonly isNew: boolean;
  readonly alertId: string;
  readonly machine: EffectiveVerdict;
  /** The machine verdict with the override applied, where there is one. */
  readonly effective: EffectiveVerdict;
  readonly usage: Usage;
  readonly found: StoredEvidence;
  /** The same as JSON. */
  readonly evidence: string;
  readonly evidenceHash: Buffer;
  /** A new signature for the override, where only the formula is new; null to keep the one it has. */
  readonly overrideSignature: Buffer | null;
}

/** Writes the machine verdicts, and the columns that their alerts are sorted by. Overrides stay as they are. */
export async function writeVerdicts(
  tx: Transaction,
  { organisationId, projectId }: ProjectKey,
  verdicts: readonly ComputedVerdict[],
  now: Date,
): Promise<void> {
  if (verdicts.length === 0) return;
  await sql`
    insert into verdicts (organisation_id, project_id, computed_at, formula,
      id, alert_id, machine_score, machine_band, evidence, evidence_hash, override_signature)
    select ${organisationId}, ${projectId}, ${now}::timestamptz, ${formula.name}::text, given.*
    from unnest(
      ${verdicts.map(({ id }) => id)}::text[], ${verdicts.map(({ alertId }) => alertId)}::text[],
      ${verdicts.map(({ machine }) => machine.score)}::double precision[],
      ${verdicts.map(({ machine }) => machine.band)}::text[],
      ${verdicts.map(({ evidence }) => evidence)}::jsonb[], ${verdicts.map(({ evidenceHash }) => evidenceHash)}::bytea[],
      ${verdicts.map(({ overrideSignature }) => overrideSignature)}::bytea[]
    ) as given
    on conflict (organisation_id, alert_id) do update set
      machine_score = excluded.machine_score, machine_band = excluded.machine_band, evidence = excluded.evidence,
      evidence_hash = excluded.evidence_hash, computed_at = excluded.computed_at,
      formula = excluded.formula, override_signature = coalesce(excluded.override_signature, verdicts.override_signature),
      revision = verdicts.revision + 1`.execute(tx);
  await sql`
    update alerts set effective_priority = given.score, verdict_band = given.band, usage = given.usage
    from unnest(
      ${verdicts.map(({ alertId }) => alertId)}::text[],
      ${verdicts.map(({ effective }) => effective.score)}::double precision[],
      ${verdicts.map(({ effective }) => effective.band)}::text[], ${verdicts.map(({ usage }) => usage)}::text[]
    ) as given (id, score, band, usage)
    where alerts.organisation_id = ${organisationId} and alerts.id = given.id
      and (alerts.effective_priority, alerts.verdict_band, alerts.usage) is distinct from (given.score, given.band, given.usage)`.execute(
    tx,
  );
}
