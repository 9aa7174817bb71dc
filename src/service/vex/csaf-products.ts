import { yieldToEventLoop } from '../../shared/async/yield-to-event-loop.js';
import { isRecord } from '../../shared/json/is-record.js';
import { records, textOrNull, texts } from './document-text.js';
import { maxLengths, maxNames, type NamedThing } from './statement.js';

type Json = Readonly<Record<string, unknown>>;

/** What a CSAF product id stands for. */
export interface CsafProduct {
  readonly thing: NamedThing;
  /** The product that it is a component of, or is installed on; null where it stands for itself. */
  readonly within: NamedThing | null;
}

/** Levels of branches within branches, and products of one document. */
const maxDepth = 64;
const maxProducts = 200_000;

/** The names on the way from the root of `branches` to a product, by the category of each branch. */
interface Branch {
  readonly value: Json;
  readonly product: string | null;
  readonly version: string | null;
  readonly range: string | null;
}

/** The products of `product_tree` by their ids (CSAF 2.0, 3.2.2): branches, full product names and relationships. */
export async function csafProducts(tree: Json): Promise<ReadonlyMap<string, CsafProduct>> {
  const products = new Map<string, CsafProduct>();
  const yieldNow = yieldToEventLoop();
  const add = (given: unknown, branch: Omit<Branch, 'value'>) => {
    const id = isRecord(given) ? textOrNull(given['product_id'], maxLengths.label) : null;
    if (isRecord(given) && id !== null && products.size < maxProducts) {
      products.set(id, { thing: thingOf(given, id, branch), within: null });
    }
  };
  for (const each of records(tree['full_product_names'])) add(each, noBranch);
  let level: Branch[] = records(tree['branches']).map((value) => inBranch(value, noBranch));
  for (let depth = 0; level.length > 0 && depth < maxDepth; depth++) {
    const next: Branch[] = [];
    for (const branch of level) {
      add(branch.value['product'], branch);
      for (const child of records(branch.value['branches'])) next.push(inBranch(child, branch));
      await yieldNow();
    }
    level = next;
  }
  for (const relationship of records(tree['relationships'])) {
    addRelationship(products, relationship);
    await yieldNow();
  }
  return products;
}

const noBranch = { product: null, version: null, range: null };

function inBranch(value: Json, { product, version, range }: Omit<Branch, 'value'>): Branch {
  const name = textOrNull(value['name'], maxLengths.label);
  const category = value['category'];
  return {
    value,
    product: category === 'product_name' ? name : product,
    version: category === 'product_version' ? name : version,
    range: category === 'product_version_range' ? name : range,
  };
}

function thingOf(given: Json, id: string, { product, version, range }: Omit<Branch, 'value'>): NamedThing {
  const name = textOrNull(given['name'], maxLengths.label);
  return {
    label: name ?? id,
    names: [name, product, id].filter((each) => each !== null),
    purls: purlsOf(given),
    version,
    claim: range === null ? null : { versions: [], ranges: [range] },
  };
}

/** CSAF 2.0 has one `purl`, 2.1 a list of them. */
function purlsOf({ product_identification_helper: helper }: Json): string[] {
  return isRecord(helper) ? texts(helper['purls'] ?? helper['purl'], 1_024, maxNames) : [];
}

function addRelationship(products: Map<string, CsafProduct>, relationship: Json): void {
  const whole = isRecord(relationship['full_product_name']) ? relationship['full_product_name'] : {};
  const id = textOrNull(whole['product_id'], maxLengths.label);
  const part = products.get(String(relationship['product_reference']));
  const outer = products.get(String(relationship['relates_to_product_reference']));
  if (id === null || part === undefined || outer === undefined || products.size >= maxProducts) return;
  const purls = purlsOf(whole);
  products.set(id, {
    thing: { ...part.thing, purls: purls.length > 0 ? purls : part.thing.purls },
    within: outer.within ?? outer.thing,
  });
}
