import type { ColumnType, JSONColumnType } from 'kysely';

/** Set by the database when the row is made. */
export type CreatedAt = ColumnType<Date, Date | undefined, never>;
export type Json<T extends object | null> = JSONColumnType<T>;
export type JsonObject = Record<string, unknown>;

/** Computed by the database; never written. */
export type Kept<T> = ColumnType<T, never, never>;

/** What alerts and findings are ranked and counted by. */
export interface RankColumns {
  /** Days (YYYY-MM-DD, UTC) on which it became open and stopped being open, alternately. See migration 0005. */
  turns: string[];
  /** Index in `risk.options`; null where it is not ranked. */
  risk: Kept<number | null>;
  risk_score: Kept<number>;
  probability: Kept<number>;
  severity_rank: Kept<number>;
  /** The day (UTC) since which it is open; null where it is not open. */
  opened_on: Kept<string | null>;
}

/** The change sets that added and removed a row; 0 for none. See src/service/landing. */
export interface ChangeSetMarks {
  added_in: Kept<number>;
  removed_in: ColumnType<number, never, number>;
}
