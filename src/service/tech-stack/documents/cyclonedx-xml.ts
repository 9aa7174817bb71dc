import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { yieldToEventLoop } from '../../../shared/async/yield-to-event-loop.js';
import { unreadableSbom } from './unreadable-sbom.js';

/** Depth of nested elements: 64 levels of components within components have two each. */
const maxDepth = 160;

/** Characters kept of one text. */
const maxText = 64 * 1024;

/** Characters that the parser gets in one step. */
const chunkLength = 64 * 1024;

/** What one element becomes in CycloneDX's JSON. What is not described here is passed over. */
interface Shape {
  /** Attributes that are fields of the object. */
  readonly attributes?: readonly string[];
  /** The field that the element's own text is. */
  readonly text?: string;
  /** Elements that are fields with text. */
  readonly texts?: readonly string[];
  /** Elements that are fields with an object. */
  readonly objects?: () => Readonly<Record<string, Shape>>;
  /** Elements that hold a list, with the elements of its entries. */
  readonly lists?: () => Readonly<Record<string, Entries>>;
  /** Entries that stand in the element itself, not in a list of their own: the field by their element. */
  readonly entries?: () => Readonly<Record<string, { readonly field: string; readonly shape: Shape }>>;
}
type Entries = Readonly<Record<string, Shape>>;

const named: Shape = { texts: ['name', 'url'] };
const referring: Shape = { attributes: ['ref'] };

const licence: Shape = { texts: ['id', 'name'] };

const component: Shape = {
  attributes: ['bom-ref', 'type'],
  texts: ['group', 'name', 'version', 'purl', 'scope'],
  objects: () => ({ supplier: named, pedigree: { lists: () => ({ ancestors: { component } }) } }),
  lists: () => ({
    licenses: { license: licence, expression: { text: 'expression' } },
    hashes: { hash: { attributes: ['alg'], text: 'content' } },
    properties: { property: { attributes: ['name'], text: 'value' } },
    components: { component },
  }),
};

const rating: Shape = { texts: ['score', 'severity', 'method', 'vector'], objects: () => ({ source: named }) };

const vulnerability: Shape = {
  attributes: ['bom-ref'],
  texts: ['id', 'description', 'recommendation'],
  objects: () => ({ source: named, analysis: { texts: ['state', 'detail'] } }),
  lists: () => ({
    references: { reference: { texts: ['id'] } },
    ratings: { rating },
    affects: { target: { texts: ['ref'] } },
  }),
};

const document: Shape = {
  objects: () => ({ metadata: { objects: () => ({ component }) } }),
  lists: () => ({
    components: { component },
    dependencies: {
      dependency: { ...referring, entries: () => ({ dependency: { field: 'dependsOn', shape: referring } }) },
    },
    compositions: {
      composition: { texts: ['aggregate'], lists: () => ({ dependencies: { dependency: referring } }) },
    },
    vulnerabilities: { vulnerability },
  }),
};

type Fields = Record<string, unknown>;

/** An open element. `fields` is null for a list's own element, and `shape` for what is passed over. */
interface Open {
  readonly name: string;
  readonly shape: Shape | null;
  readonly fields: Fields | null;
  readonly list: { readonly rows: unknown[]; readonly entries: Entries } | null;
  /** The field of the parent that the element's text is. */
  readonly textOf: { readonly fields: Fields; readonly field: string } | null;
}

const passedOver = { shape: null, fields: null, list: null, textOf: null };

/** Whether a text is XML. Only its beginning is looked at. */
export function looksLikeXml(text: string): boolean {
  return /^\uFEFF?\s*</.test(text.slice(0, 1000));
}

/**
 * A CycloneDX XML document in the shape of its JSON (https://cyclonedx.org/docs/1.7/xml/). A document type is rejected, and
 * so is every entity but the five of XML itself.
 */
export async function parseCycloneDxXml(text: string): Promise<object> {
  const parser = new SaxesParser();
  const bom: Fields = { bomFormat: 'CycloneDX' };
  const open: Open[] = [];
  let words = '';
  const unreadable = (expected: string) =>
    unreadableSbom(`${expected}: see line ${parser.line}, column ${parser.column}`);
  parser.on('error', () => {
    throw unreadable('must be well-formed XML');
  });
  parser.on('doctype', () => {
    throw unreadable('must have no document type and no entities of its own');
  });
  parser.on('opentag', ({ name: qualified, attributes }: SaxesTagPlain) => {
    if (open.length === maxDepth) throw unreadable(`must not nest deeper than ${maxDepth} elements`);
    const name = qualified.slice(qualified.indexOf(':') + 1);
    const parent = open.at(-1);
    words = '';
    if (parent !== undefined) {
      open.push(openIn(parent, name, attributes));
      return;
    }
    const version = name === 'bom' ? versionOf(attributes) : undefined;
    if (version === undefined) throw unreadable('must begin with the element bom of CycloneDX');
    // The first two versions, which have no JSON, are contained in the third.
    bom['specVersion'] = version === '1.0' || version === '1.1' ? '1.2' : version;
    open.push({ ...passedOver, name, shape: document, fields: bom });
  });
  const collect = (more: string): void => {
    if (words.length < maxText) words += more.slice(0, maxText - words.length);
  };
  parser.on('text', collect);
  parser.on('cdata', collect);
  parser.on('closetag', () => {
    const closed = open.pop();
    const text = words.trim();
    if (closed?.textOf && !(closed.textOf.field in closed.textOf.fields))
      closed.textOf.fields[closed.textOf.field] = text;
    words = '';
  });

  const yieldNow = yieldToEventLoop();
  const body = text.replace(/^\uFEFF?\s*/, '');
  for (let at = 0; at < body.length; at += chunkLength) {
    await yieldNow();
    parser.write(body.slice(at, at + chunkLength));
  }
  parser.close();
  return bom;
}

/** The version is in the namespace: `http://cyclonedx.org/schema/bom/1.6`. */
function versionOf(attributes: SaxesTagPlain['attributes']): string | undefined {
  const namespaces = Object.entries(attributes).filter(([name]) => name === 'xmlns' || name.startsWith('xmlns:'));
  return namespaces.map(([, uri]) => /^http:\/\/cyclonedx\.org\/schema\/bom\/(\S+)$/.exec(uri)?.[1]).find(Boolean);
}

function openIn(parent: Open, name: string, attributes: Readonly<Record<string, string>>): Open {
  if (parent.list !== null) {
    const shape = own(parent.list.entries, name);
    return shape === undefined ? { ...passedOver, name } : newObject(name, shape, attributes, parent.list.rows);
  }
  const { shape, fields } = parent;
  if (shape === null || fields === null) return { ...passedOver, name };
  if (shape.texts?.includes(name)) return { ...passedOver, name, textOf: { fields, field: name } };
  const inner = own(shape.objects?.(), name);
  if (inner !== undefined) {
    const object = newObject(name, inner, attributes);
    fields[name] ??= object.fields;
    return object;
  }
  const entry = own(shape.entries?.(), name);
  if (entry !== undefined) return newObject(name, entry.shape, attributes, rowsOf(fields, entry.field));
  const list = own(shape.lists?.(), name);
  return list === undefined
    ? { ...passedOver, name }
    : { ...passedOver, name, list: { rows: rowsOf(fields, name), entries: list } };
}

/** Names come from the document: `constructor` is none of the described ones. */
function own<Value>(described: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined {
  return described !== undefined && Object.hasOwn(described, name) ? described[name] : undefined;
}

function rowsOf(fields: Fields, field: string): unknown[] {
  const known = fields[field];
  if (Array.isArray(known)) return known;
  const rows: unknown[] = [];
  fields[field] = rows;
  return rows;
}

function newObject(name: string, shape: Shape, attributes: Readonly<Record<string, string>>, rows?: unknown[]): Open {
  const fields: Fields = {};
  for (const attribute of shape.attributes ?? []) {
    if (attributes[attribute] !== undefined) fields[attribute] = attributes[attribute];
  }
  rows?.push(fields);
  const textOf = shape.text === undefined ? null : { fields, field: shape.text };
  return { ...passedOver, name, shape, fields, textOf };
}
