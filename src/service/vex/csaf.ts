import type { VexStatus } from '../../procedures/vex.js';
import { isRecord } from '../../shared/json/is-record.js';
import { type CsafProduct, csafProducts } from './csaf-products.js';
import { records, textOrNull, texts, timeOrNull } from './document-text.js';
import { RowList } from './row-list.js';
import { maxLengths, maxNames, type VexDocument } from './statement.js';

type Json = Readonly<Record<string, unknown>>;

/** CSAF `product_status` (CSAF 2.0, 3.2.3.9). `recommended` says nothing of a vulnerability. */
const statuses: Readonly<Record<string, VexStatus | null>> = {
  known_not_affected: 'not_affected',
  known_affected: 'affected',
  first_affected: 'affected',
  last_affected: 'affected',
  fixed: 'fixed',
  first_fixed: 'fixed',
  under_investigation: 'under_investigation',
  recommended: null,
};

/** Whether it is CSAF 2 JSON (https://docs.oasis-open.org/csaf/csaf/v2.0/csaf-v2.0.html), of any profile. */
export function isCsaf({ document }: Json): boolean {
  return isRecord(document) && /^2\.\d+$/.test(String(document['csaf_version'])) && isRecord(document['tracking']);
}

/** Reads a CSAF document: a row for each vulnerability, status and product. */
export async function readCsaf(csaf: Json): Promise<VexDocument> {
  const document = isRecord(csaf['document']) ? csaf['document'] : {};
  const tracking = isRecord(document['tracking']) ? document['tracking'] : {};
  const publisher = isRecord(document['publisher']) ? document['publisher'] : {};
  const tree = isRecord(csaf['product_tree']) ? csaf['product_tree'] : {};
  const rows = new RowList();
  const products = await csafProducts(tree);
  const groups = groupsOf(tree);
  for (const [place, vulnerability] of listOf(csaf['vulnerabilities']).entries()) {
    const pointer = `/vulnerabilities/${place}`;
    if (!isRecord(vulnerability)) await rows.addSkipped(pointer, 'is no object');
    else await readVulnerability(rows, pointer, vulnerability, products, groups);
  }
  return {
    format: 'csaf',
    name: textOrNull(tracking['id'], maxLengths.id),
    version: textOrNull(tracking['version'], maxLengths.id),
    author: textOrNull(publisher['name'], maxLengths.id),
    issuedAt: timeOrNull(tracking['current_release_date']),
    rows: rows.rows,
  };
}

type Products = ReadonlyMap<string, CsafProduct>;
type Groups = ReadonlyMap<string, readonly string[]>;

async function readVulnerability(
  rows: RowList,
  pointer: string,
  vulnerability: Json,
  products: Products,
  groups: Groups,
): Promise<void> {
  const others = records(vulnerability['ids']).map(({ text }) => text);
  const ids = texts([vulnerability['cve'], ...others], maxLengths.id, maxNames);
  const told = {
    justifications: aboutProducts(records(vulnerability['flags']), 'label', groups),
    impacts: aboutProducts(records(vulnerability['threats']).filter(isImpact), 'details', groups),
    remedies: aboutProducts(records(vulnerability['remediations']), 'details', groups),
  };
  const given = isRecord(vulnerability['product_status']) ? vulnerability['product_status'] : {};
  for (const [word, productIds] of Object.entries(given)) {
    const status = Object.hasOwn(statuses, word) ? (statuses[word] ?? null) : null;
    for (const [place, productId] of listOf(productIds).entries()) {
      // `status` is null for words that say nothing of the vulnerability, so the word needs no escape in the pointer.
      const at = `${pointer}/product_status/${word}/${place}`;
      const id = textOrNull(productId, maxLengths.label) ?? '';
      const product = products.get(id);
      if (status === null) await rows.add({ kind: 'other' });
      else if (ids.length === 0) await rows.addSkipped(pointer, 'names no vulnerability: cve and ids are missing');
      else if (product === undefined) await rows.addSkipped(at, 'names a product that product_tree lacks');
      else {
        await rows.add({
          kind: 'statement',
          pointer: at,
          ids,
          status,
          product: product.within ?? product.thing,
          component: product.within === null ? null : product.thing,
          justification: told.justifications(id)?.slice(0, maxLengths.justification) ?? null,
          detail: status === 'affected' ? told.remedies(id) : told.impacts(id),
        });
      }
    }
  }
}

function isImpact({ category }: Json): boolean {
  return category === 'impact';
}

/**
 * What a list of notes (flags, threats, remediations) says of a product, by itself or through one of its groups. The first note
 * counts.
 */
function aboutProducts(notes: readonly Json[], key: 'label' | 'details', groups: Groups) {
  const [ofProduct, ofGroup] = [new Map<string, string>(), new Map<string, string>()];
  for (const note of notes) {
    const text = textOrNull(note[key], maxLengths.detail);
    if (text === null) continue;
    for (const id of listOf(note['product_ids'])) keepFirst(ofProduct, String(id), text);
    for (const id of listOf(note['group_ids'])) keepFirst(ofGroup, String(id), text);
  }
  return (id: string): string | null => {
    const group = groups.get(id)?.find((each) => ofGroup.has(each)) ?? '';
    return ofProduct.get(id) ?? ofGroup.get(group) ?? null;
  };
}

function keepFirst(map: Map<string, string>, key: string, text: string): void {
  if (!map.has(key)) map.set(key, text);
}

/** The groups that each product is in; of very many, the first. */
function groupsOf(tree: Json): Groups {
  const groups = new Map<string, string[]>();
  for (const group of records(tree['product_groups'])) {
    for (const id of listOf(group['product_ids']).map(String)) {
      const known = groups.get(id) ?? [];
      if (known.length < maxNames) groups.set(id, [...known, String(group['group_id'])]);
    }
  }
  return groups;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
