import type { VexStatus } from '../../procedures/vex.js';
import { isRecord } from '../../shared/json/is-record.js';
import { type BomComponents, bomComponents } from './cyclonedx-components.js';
import { records, textOrNull, texts, timeOrNull } from './document-text.js';
import { RowList } from './row-list.js';
import { maxLengths, maxNames, type NamedThing, type VersionClaim, type VexDocument } from './statement.js';

type Json = Readonly<Record<string, unknown>>;

/** CycloneDX `analysis.state` (https://cyclonedx.org/docs/1.7/json/#vulnerabilities_items_analysis_state). */
const statuses: Readonly<Record<string, VexStatus>> = {
  not_affected: 'not_affected',
  false_positive: 'not_affected',
  exploitable: 'affected',
  resolved: 'fixed',
  resolved_with_pedigree: 'fixed',
  in_triage: 'under_investigation',
};

/** Whether it is CycloneDX JSON of a version with vulnerabilities: 1.4 to 1.7. */
export function isCycloneDx({ bomFormat, specVersion, vulnerabilities }: Json): boolean {
  return bomFormat === 'CycloneDX' && /^1\.[4-7]$/.test(String(specVersion)) && Array.isArray(vulnerabilities);
}

/**
 * Reads a CycloneDX document: a row for each vulnerability and each thing that it `affects`. Where the document describes a
 * component (`metadata.component`), that is the product: what is said of the others is said of them as its parts.
 */
export async function readCycloneDx(document: Json): Promise<VexDocument> {
  const metadata = isRecord(document['metadata']) ? document['metadata'] : {};
  const rows = new RowList();
  const components = await bomComponents(document);
  for (const [place, vulnerability] of listOf(document['vulnerabilities']).entries()) {
    const pointer = `/vulnerabilities/${place}`;
    if (!isRecord(vulnerability)) await rows.addSkipped(pointer, 'is no object');
    else await readVulnerability(rows, pointer, vulnerability, components);
  }
  return {
    format: 'cyclonedx',
    name: textOrNull(document['serialNumber'], maxLengths.id),
    version: typeof document['version'] === 'number' ? String(document['version']) : null,
    author: authorOf(metadata),
    issuedAt: timeOrNull(metadata['timestamp']),
    rows: rows.rows,
  };
}

async function readVulnerability(rows: RowList, pointer: string, vulnerability: Json, components: BomComponents) {
  const analysis = isRecord(vulnerability['analysis']) ? vulnerability['analysis'] : {};
  const status = statuses[String(analysis['state'])];
  const affects = affectedOf(vulnerability['affects'], components);
  const ids = [vulnerability['id'], ...records(vulnerability['references']).map(({ id }) => id)];
  const said = {
    ids: texts(ids, maxLengths.id, maxNames),
    justification: textOrNull(analysis['justification'], maxLengths.justification),
    detail: textOrNull(analysis['detail'], maxLengths.detail),
  };
  for (const [place, affected] of affects.entries()) {
    const at = Array.isArray(vulnerability['affects']) ? `${pointer}/affects/${place}` : pointer;
    const thing = isRecord(affected) ? components.named(affected['ref']) : null;
    if (analysis['state'] === undefined) await rows.add({ kind: 'other' });
    else if (status === undefined) await rows.addSkipped(`${pointer}/analysis`, 'has no state that CycloneDX knows');
    else if (said.ids.length === 0) await rows.addSkipped(pointer, 'names no vulnerability: id is missing');
    else if (!isRecord(affected) || thing === null) await rows.addSkipped(at, 'names nothing that is affected');
    else {
      const claimed = withClaim(thing, versionsOf(affected['versions'], status));
      const isSubject = thing === components.subject || components.subject === null;
      await rows.add({
        kind: 'statement',
        pointer: at,
        status,
        ...said,
        product: isSubject ? claimed : (components.subject ?? claimed),
        component: isSubject ? null : claimed,
      });
    }
  }
}

/** A vulnerability that does not say what it affects is one of what the document describes. */
function affectedOf(affects: unknown, { subjectRef }: BomComponents): readonly unknown[] {
  const given = listOf(affects);
  return given.length === 0 ? [subjectRef === null ? {} : { ref: subjectRef }] : given;
}

/**
 * The versions that a statement of this status is of. `affects[].versions` gives each its own status (default: affected),
 * so those of the opposite one do not count.
 */
function versionsOf(versions: unknown, status: VexStatus): VersionClaim | null {
  const given = records(versions).slice(0, maxNames);
  const fitting = given.filter((each) => {
    const own = each['status'] ?? 'affected';
    return own === (status === 'not_affected' ? 'unaffected' : 'affected');
  });
  if (fitting.length === 0) return null;
  return {
    versions: fitting.flatMap(({ version }) => textOrNull(version, maxLengths.id) ?? []),
    ranges: fitting.flatMap(({ range }) => textOrNull(range, maxLengths.detail) ?? []),
  };
}

function withClaim(thing: NamedThing, claim: VersionClaim | null): NamedThing {
  return claim === null ? thing : { ...thing, claim };
}

/** Who says it: authors first, then the organisation that supplies or made it. */
function authorOf(metadata: Json): string | null {
  const named = [...records(metadata['authors']), metadata['supplier'], metadata['manufacturer']];
  for (const each of named) {
    const name = isRecord(each) ? (textOrNull(each['name'], maxLengths.id) ?? textOrNull(each['email'], 254)) : null;
    if (name !== null) return name;
  }
  return null;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
