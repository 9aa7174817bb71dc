import { type RawBuilder, sql } from 'kysely';
import type { FindingDomain } from '../../src/service/db/tables/findings.js';
import { draw } from './volume-draw.js';
import { exposures, type Piece } from './volume-shares.js';
import { commonVulnerabilities } from './volume-vulnerabilities.js';

/** What all written rows have in common. */
export interface Volume {
  readonly organisationId: string;
  readonly now: Date;
  readonly vulnerabilities: number;
}

/** Limit of the numbers of findings in one project. */
const projectStride = 10_000_000;

/** A prime above any number of vulnerabilities, so that the two are coprime. */
const vulnerabilityStride = 1_000_003;

/** The rows of the pieces: their number `k` in the project and `n` among all, and columns of the project. */
export function rowsOf(batch: readonly Piece[], domain: FindingDomain = 'code'): RawBuilder<unknown> {
  return sql`(
    select piece.*, k, ordinal::bigint * ${sql.lit(projectStride)} + k as n
    from unnest(
      ${batch.map(({ project }) => project.id)}::text[], ${batch.map(({ project }) => project.ordinal)}::integer[],
      ${batch.map(({ project }) => project.exposure)}::text[],
      ${batch.map(({ project }) => exposures.indexOf(project.exposure))}::integer[],
      ${batch.map(({ project }) => project.reported)}::boolean[], ${batch.map(({ project }) => project.age)}::integer[],
      ${batch.map(({ project }) => project.sources[domain])}::integer[],
      ${batch.map(({ first }) => first)}::integer[], ${batch.map(({ count }) => count)}::integer[]
    ) as piece (project_id, ordinal, exposure, exposure_place, reported, age, sources, first, count)
    cross join lateral generate_series(first, first + count - 1) as k
  )`;
}

/** The vulnerability of a row: the common ones first, then each other one once, in an order that differs by project. */
export function vulnerabilityOf({ vulnerabilities }: Volume): RawBuilder<number> {
  const others = sql.lit(vulnerabilities - commonVulnerabilities);
  const common = sql.lit(commonVulnerabilities);
  return sql<number>`case when k < ${common} then k
    else ${common} + (((k - ${common})::bigint * ${sql.lit(vulnerabilityStride)} + ordinal * 7919) % ${others})::integer end`;
}

/**
 * When a finding appeared and was resolved: `came`, and the times `went`, `back` and `gone` between then and now, in order.
 * Three of ten appeared in the project's first scan. Those with `reopened` were resolved and reopened.
 */
export function timesOf({ now }: Volume): RawBuilder<unknown> {
  return sql`(
    select came, reopened, came + (${now}::timestamptz - came) * (0.3 * ${draw('went')}) as went,
      came + (${now}::timestamptz - came) * (0.3 + 0.3 * ${draw('back')}) as back,
      came + (${now}::timestamptz - came) * (case when reopened then 0.6 + 0.4 * ${draw('gone')} else ${draw('gone')} end) as gone
    from (
      select ${now}::timestamptz - interval '1 day' * age * (
          case when ${draw('first scan')} < 0.3 then 1 - ${draw('minute')} / 5000 else ${draw('came')} end
        ) as came, ${draw('reopened')} < 0.06 as reopened
    ) as coming
  )`;
}

/** As the service keeps them: see `turns` of the migration. */
export const openTurns = sql`case when reopened then turn(turn(turn('{}', came), went), back) else turn('{}', came) end`;
export const goneTurns = sql`case when reopened then turn(turn(turn(turn('{}', came), went), back), gone)
  else turn(turn('{}', came), gone) end`;
