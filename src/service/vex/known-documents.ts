import type { Selectable } from 'kysely';
import type { Transaction } from '../db/database.js';
import { inScope } from '../db/scope.js';
import type { VexDocumentsTable } from '../db/tables/vex.js';
import type { ProjectKey } from '../projects/find-project.js';
import type { VexDocument } from './statement.js';

export type DocumentRow = Selectable<VexDocumentsTable>;

/** The documents of one project and author; with `name`, only versions of that one document. Newest upload first. */
export async function documentsOfAuthor(
  tx: Transaction,
  key: ProjectKey,
  { format, author, name }: Pick<VexDocument, 'format' | 'author' | 'name'>,
): Promise<DocumentRow[]> {
  // A serial number and an @id are unique by themselves; without an author they still tell whose the document is.
  if (author === null && name === null) return [];
  const own = tx.selectFrom('vex_documents').selectAll().where(inScope(key));
  return own
    .$if(author !== null, (query) => query.where('author', '=', author))
    .$if(author === null, (query) =>
      query.where('author', 'is', null).where('format', '=', format).where('name', '=', name),
    )
    .orderBy('uploaded_at', 'desc')
    .limit(maxDocuments)
    .execute();
}

/** Documents of one author that are compared with a new one. */
const maxDocuments = 1_000;

export function isVersionOf(row: DocumentRow, { format, name }: Pick<VexDocument, 'format' | 'name'>): boolean {
  return name !== null && row.name === name && row.format === format;
}

type Dated = Pick<DocumentRow, 'version' | 'issued_at'>;

/** Whether `a` is a newer version of the same document than `b`: by version, then by date. */
export function isNewerVersion(a: Dated, b: Dated): boolean {
  const byVersion = compareNumbers(a.version, b.version);
  return byVersion === 0 ? isIssuedAfter(a, b) : byVersion > 0;
}

/** Whether `a` says that it was issued after `b`; false where one of them has no date. */
export function isIssuedAfter(a: Dated, b: Dated): boolean {
  return a.issued_at !== null && b.issued_at !== null && a.issued_at > b.issued_at;
}

/** Versions of documents are numbers (CycloneDX, OpenVEX) or dotted numbers (CSAF); 0 where one is neither. */
function compareNumbers(a: string | null, b: string | null): number {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  if (left === null || right === null) return 0;
  for (let place = 0; place < Math.max(left.length, right.length); place++) {
    const difference = (left[place] ?? 0) - (right[place] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function numbersOf(version: string | null): number[] | null {
  return version !== null && /^\d{1,9}(\.\d{1,9}){0,5}$/.test(version) ? version.split('.').map(Number) : null;
}
