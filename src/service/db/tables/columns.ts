import type { ColumnType, JSONColumnType } from 'kysely';

/** Set by the database when the row is made. */
export type CreatedAt = ColumnType<Date, Date | undefined, never>;
export type Json<T extends object | null> = JSONColumnType<T>;
export type JsonObject = Record<string, unknown>;

/** Kept by the database. */
export type Kept<T> = ColumnType<T, never, never>;

/** What alerts and findings are ranked and counted by. */
export interface RankColumns {
  /** Days (YYYY-MM-DD, UTC) on which it came into being open and went out of it, in turn: see the migration. */
  turns: string[];
  /** Place in `risk.options`; null where it is not ranked. */
  risk: Kept<number | null>;
  risk_score: Kept<number>;
  probability: Kept<number>;
  severity_rank: Kept<number>;
  /** The day (UTC) since which it is open; null where it is not. */
  opened_on: Kept<string | null>;
}
