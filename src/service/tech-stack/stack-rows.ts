import { type RawBuilder, sql } from 'kysely';

/** So many dependencies of a row count like another row. */
const edgesOfRow = 8;

/** The weight of a row with what it depends on. */
export function weightOfEdges({ dependencies }: { readonly dependencies: readonly string[] }): number {
  return 1 + dependencies.length / edgesOfRow;
}

/** The condition that a row of the organisation is one of these. */
export function areThese(organisationId: string, rows: readonly { readonly id: string }[]): RawBuilder<boolean> {
  return sql<boolean>`organisation_id = ${organisationId} and id = any (${rows.map(({ id }) => id)}::text[])`;
}
