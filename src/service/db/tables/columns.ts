import type { ColumnType, JSONColumnType } from 'kysely';

/** Set by the database when the row is made. */
export type CreatedAt = ColumnType<Date, Date | undefined, never>;
export type Json<T extends object | null> = JSONColumnType<T>;
export type JsonObject = Record<string, unknown>;

/** Ecosystems by OSV's names. */
export type EcosystemName = 'npm' | 'PyPI' | 'Go' | 'crates.io' | 'Maven' | 'RubyGems' | 'NuGet' | 'Packagist';
