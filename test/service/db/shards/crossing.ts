import { crossing } from './crossing-statements.js';

export interface Crossing {
  /** How the statement begins, or what statements for each of several tables have in common. */
  readonly statement: string | RegExp;
  /**
   * The tables for which it may ask several shards, or whole ones without an organisation; absent where the statement names only one.
   * A join may ask fewer of them: what is looked up with the organisation of a row that was found asks one shard, where one row was.
   */
  readonly tables?: string;
  readonly what: string;
}

interface Found {
  readonly statement: string;
  /** As `Crossing.tables`. */
  readonly tables: string;
}

export const listed: readonly Crossing[] = Object.values(crossing).flat();

export function isStatementOf({ statement }: Crossing, text: string): boolean {
  return typeof statement === 'string' ? text.startsWith(statement) : statement.test(text);
}

/** Whether an entry is of a statement, and of all that it crosses. */
export function isOf(entry: Crossing, found: Found): boolean {
  const { tables } = entry;
  const isStatement = isStatementOf(entry, found.statement);
  const asked = found.tables.split(', ');
  const may = tables?.split(', ');
  return isStatement && (may === undefined ? asked.length === 1 : asked.every((table) => may.includes(table)));
}
