import type { VexStatus } from '../../procedures/vex.js';
import { vexStatus } from '../../procedures/vex.js';
import { isRecord } from '../../shared/json/is-record.js';
import { textOrNull, texts, timeOrNull } from './document-text.js';
import { RowList } from './row-list.js';
import { maxLengths, maxNames, type NamedThing, type VexDocument, type VexStatement } from './statement.js';

type Json = Readonly<Record<string, unknown>>;

/** Whether it is OpenVEX of any version (https://github.com/openvex/spec/blob/main/OPENVEX-SPEC.md). */
export function isOpenVex(document: Json): boolean {
  const context = [document['@context']].flat()[0];
  return (
    typeof context === 'string' &&
    /^https:\/\/openvex\.dev\/ns\b/.test(context) &&
    Array.isArray(document['statements'])
  );
}

/**
 * Reads OpenVEX 0.0.1 to 0.2.0: a row for each statement, product and subcomponent. 0.0.1 has plain texts where later versions
 * have objects, and subcomponents of the whole statement.
 */
export async function readOpenVex(document: Json): Promise<VexDocument> {
  const rows = new RowList();
  const issuedAt = timeOrNull(document['last_updated']) ?? timeOrNull(document['timestamp']);
  const newest = new Newest();
  const statements: unknown[] = Array.isArray(document['statements']) ? document['statements'] : [];
  for (const [place, statement] of statements.entries()) {
    const pointer = `/statements/${place}`;
    if (!isRecord(statement)) await rows.addSkipped(pointer, 'is no object');
    else await readStatement(rows, pointer, statement, newest, issuedAt);
  }
  return {
    format: 'openvex',
    name: textOrNull(document['@id'], maxLengths.id),
    version: textOrNull(String(document['version'] ?? ''), maxLengths.id),
    author: textOrNull(document['author'], maxLengths.id),
    issuedAt,
    rows: newest.without(rows.rows),
  };
}

async function readStatement(rows: RowList, pointer: string, statement: Json, newest: Newest, issuedAt: Date | null) {
  const status = vexStatus.safeParse(statement['status']).data;
  const ids = vulnerabilityIds(statement['vulnerability']);
  if (status === undefined) return rows.addSkipped(`${pointer}/status`, 'is no status that OpenVEX knows');
  if (ids.length === 0) return rows.addSkipped(pointer, 'names no vulnerability');
  const products = listOf(statement['products']);
  if (products.length === 0) return rows.addSkipped(pointer, 'names no product');
  const time = timeOrNull(statement['last_updated']) ?? timeOrNull(statement['timestamp']) ?? issuedAt;
  const said = { kind: 'statement', status, ids, ...explanation(statement, status) } as const;
  for (const [place, given] of products.entries()) {
    const at = `${pointer}/products/${place}`;
    const product = thingOf(given);
    if (product === null) {
      await rows.addSkipped(at, 'has no @id and no identifier');
      continue;
    }
    const own = isRecord(given) ? listOf(given['subcomponents']) : [];
    const [parts, partsAt] =
      own.length > 0 ? [own, `${at}/subcomponents`] : [listOf(statement['subcomponents']), `${pointer}/subcomponents`];
    if (parts.length === 0) await rows.add(newest.seen({ ...said, pointer: at, product, component: null }, time));
    for (const [index, part] of parts.entries()) {
      const component = thingOf(part);
      if (component === null) await rows.addSkipped(`${partsAt}/${index}`, 'has no @id and no identifier');
      else await rows.add(newest.seen({ ...said, pointer: `${partsAt}/${index}`, product, component }, time));
    }
  }
  return undefined;
}

/** The statement that counts for each vulnerability in each product: the one with the latest time, as OpenVEX says. */
class Newest {
  readonly #times = new Map<VexStatement, number>();
  readonly #latest = new Map<string, number>();

  seen(statement: VexStatement, time: Date | null): VexStatement {
    const at = time?.getTime() ?? 0;
    const key = keyOf(statement);
    this.#times.set(statement, at);
    this.#latest.set(key, Math.max(at, this.#latest.get(key) ?? at));
    return statement;
  }

  without(rows: VexDocument['rows']): VexDocument['rows'] {
    return rows.map((row) => {
      if (row.kind !== 'statement' || this.#times.get(row) === this.#latest.get(keyOf(row))) return row;
      return { kind: 'skipped', pointer: row.pointer, reason: 'a later statement of this document replaces it' };
    });
  }
}

function keyOf({ ids, product, component }: VexStatement): string {
  return JSON.stringify([ids[0], product.label, component?.label ?? null]);
}

/** 0.0.1 names it by a text; later versions by an object with name, `@id` and aliases. */
function vulnerabilityIds(vulnerability: unknown): string[] {
  if (!isRecord(vulnerability)) return texts(vulnerability, maxLengths.id, 1);
  const { name, aliases } = vulnerability;
  const named = texts(name ?? vulnerability['@id'], maxLengths.id, 1).map((id) => id.slice(id.lastIndexOf('/') + 1));
  return [...named, ...texts(aliases, maxLengths.id, maxNames)];
}

function explanation(statement: Json, status: VexStatus) {
  const text = (key: string) => textOrNull(statement[key], maxLengths.detail);
  const detail = status === 'not_affected' ? text('impact_statement') : text('action_statement');
  return {
    justification: textOrNull(statement['justification'], maxLengths.justification),
    detail: detail ?? text('status_notes') ?? text('impact_statement'),
  };
}

function thingOf(given: unknown): NamedThing | null {
  const fields = isRecord(given) ? given : { '@id': given };
  const identifiers = isRecord(fields['identifiers']) ? fields['identifiers'] : {};
  const id = textOrNull(fields['@id'], 1_024);
  const purl = textOrNull(identifiers['purl'], 1_024);
  const names = [id, purl].filter((each) => each !== null);
  const [label] = names;
  if (label === undefined) return null;
  return { label, names, purls: names.filter((each) => each.startsWith('pkg:')), version: null, claim: null };
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'string' ? [value] : [];
}
