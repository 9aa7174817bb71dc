import { yieldToEventLoop } from '../../shared/async/yield-to-event-loop.js';
import { isRecord } from '../../shared/json/is-record.js';
import { records, textOrNull } from './document-text.js';
import { maxLengths, type NamedThing } from './statement.js';

type Json = Readonly<Record<string, unknown>>;

/** What the references of a CycloneDX document lead to. */
export interface BomComponents {
  /** What the document describes. */
  readonly subject: NamedThing | null;
  readonly subjectRef: string | null;
  /** The thing behind a reference (`bom-ref`, BOM-Link or package URL); null where the value is no reference. */
  readonly named: (ref: unknown) => NamedThing | null;
}

/** Levels of components within components, and how many of them one document may have. */
const maxDepth = 64;
const maxComponents = 200_000;

/** Indexes a document's components by their `bom-ref`, level by level, since the sender decides how deep they nest. */
export async function bomComponents(document: Json): Promise<BomComponents> {
  const yieldNow = yieldToEventLoop();
  const byRef = new Map<string, NamedThing>();
  const metadata = isRecord(document['metadata']) ? document['metadata'] : {};
  const described = isRecord(metadata['component']) ? metadata['component'] : null;
  const subject = described === null ? null : thingOf(described);
  const subjectRef = described === null ? null : (refOf(described) ?? '');
  if (subject !== null && subjectRef !== null) byRef.set(subjectRef, subject);
  let level = [
    ...records(document['components']),
    ...records(document['services']),
    ...records(described?.['components']),
  ];
  for (let depth = 0; level.length > 0 && depth < maxDepth && byRef.size < maxComponents; depth++) {
    const next: Record<string, unknown>[] = [];
    for (const component of level) {
      const ref = refOf(component);
      if (ref !== null && !byRef.has(ref)) byRef.set(ref, thingOf(component));
      for (const child of records(component['components'])) next.push(child);
      await yieldNow();
    }
    level = next;
  }
  const serial = textOrNull(document['serialNumber'], maxLengths.id)?.replace(/^urn:uuid:/i, '') ?? null;
  return {
    subject,
    subjectRef,
    named(ref) {
      const text = typeof ref === 'string' && ref === '' ? '' : textOrNull(ref, 1_024);
      if (text === null) return null;
      return byRef.get(text) ?? byRef.get(ownPartOf(text, serial)) ?? thingBehind(text);
    },
  };
}

function refOf(component: Json): string | null {
  return textOrNull(component['bom-ref'], 1_024) ?? textOrNull(component['purl'], 1_024);
}

function thingOf(component: Json): NamedThing {
  const text = (key: string) => textOrNull(component[key], key === 'purl' ? 1_024 : maxLengths.label);
  const [name, group, version, purl] = [text('name'), text('group'), text('version'), text('purl')];
  const ref = refOf(component);
  const label = purl ?? [group, name].filter((part) => part !== null).join('/');
  return {
    label: label === '' ? (ref ?? 'a component without a name') : label,
    names: [name, group === null || name === null ? null : `${group}/${name}`, ref].filter((each) => each !== null),
    purls: purl === null ? [] : [purl],
    version,
    claim: null,
  };
}

/** BOM-Link (https://cyclonedx.org/capabilities/bomlink/): `urn:cdx:<serial number>/<version>#<bom-ref>`. */
const bomLink = /^urn:cdx:([^/#]+)\/\d+(?:#(.*))?$/i;

/** The `bom-ref` of a BOM-Link into this very document; otherwise the text itself. */
function ownPartOf(text: string, serial: string | null): string {
  const [, linked, fragment] = bomLink.exec(text) ?? [];
  return fragment !== undefined && serial !== null && linked === serial ? decoded(fragment) : text;
}

/** A reference that leads out of the document: only a package URL in it says what it is of. */
function thingBehind(text: string): NamedThing {
  const [, , fragment] = bomLink.exec(text) ?? [];
  const inner = fragment === undefined ? text : fragment.startsWith('pkg:') ? fragment : decoded(fragment);
  return {
    label: text,
    names: [text, inner],
    purls: inner.startsWith('pkg:') ? [inner] : [],
    version: null,
    claim: null,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
