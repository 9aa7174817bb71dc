import { type QueryExecutorProvider, sql } from 'kysely';

/** A table, as both databases have it. */
export interface TableShape {
  readonly name: string;
  readonly columns: readonly Column[];
  /** Tables that its foreign keys name, without itself. */
  readonly needs: readonly string[];
}

export interface Column {
  readonly name: string;
  /** As `timestamp with time zone` or `text[]`. */
  readonly type: string;
  /** The database computes it: it is compared, and never written. */
  readonly is_generated: boolean;
}

/** The migrator's own. */
const isOfMigrator = sql`relname like 'kysely\\_migration%'`;

/** The tables of the schema, each after those that its foreign keys name. */
export async function tableShapes(db: QueryExecutorProvider): Promise<TableShape[]> {
  const { rows } = await sql<TableShape>`
    select c.relname as name,
      (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
          'is_generated', a.attgenerated <> '') order by a.attnum)
        from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
      (select coalesce(json_agg(distinct other.relname), '[]') from pg_constraint k join pg_class other on other.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as needs
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not (${isOfMigrator})
    order by c.relname`.execute(db);
  return inOrder(rows);
}

/** The sequences of the schema, by name. */
export async function sequenceNames(db: QueryExecutorProvider): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'S' order by 1`.execute(db);
  return rows.map(({ name }) => name);
}

function inOrder(tables: readonly TableShape[]): TableShape[] {
  const ordered: TableShape[] = [];
  const done = new Set<string>();
  while (ordered.length < tables.length) {
    const ready = tables.filter(({ name, needs }) => !done.has(name) && needs.every((each) => done.has(each)));
    if (ready.length === 0) throw new Error('Some tables need each other: none of them can be written first.');
    for (const table of ready) done.add(table.name);
    ordered.push(...ready);
  }
  return ordered;
}
