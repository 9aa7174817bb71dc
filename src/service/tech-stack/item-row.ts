import type { Selectable } from 'kysely';
import type * as z from 'zod';
import type { techStack } from '../../procedures/tech-stack.js';
import { printPurl } from '../../shared/packages/purl.js';
import type { Transaction } from '../db/database.js';
import type { Schema } from '../db/schema.js';
import { loadHealth, type PackageHealth } from './health.js';

export type ItemRow = Selectable<Schema['tech_stack_items']>;
export type TechStackItem = z.output<typeof techStack.add.output>;

function toItem(row: ItemRow, health: PackageHealth): TechStackItem {
  const { id, ecosystem, name, version, scope, direct, source, revision, added_at, updated_at } = row;
  const purl = printPurl({ ecosystem, name, version });
  return { id, ecosystem, name, version, purl, scope, direct, source, health, revision, added_at, updated_at };
}

/** Tracked packages with their health, as the API returns them. */
export async function toItems(tx: Transaction, rows: readonly ItemRow[]): Promise<TechStackItem[]> {
  const health = await loadHealth(tx, rows);
  return rows.flatMap((row, place) => {
    const known = health[place];
    return known === undefined ? [] : [toItem(row, known)];
  });
}

/** The fields of a tracked package that the audit log keeps. */
export function auditFacts({ ecosystem, name, version, scope, source }: ItemRow) {
  return { ecosystem, name, version, scope, source };
}
