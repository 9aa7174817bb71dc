import { createHash } from 'node:crypto';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import type { Advisory } from '../matching/advisory.js';

/** An advisory ready to be written. `json` is its row, packages and hash included, under the names of the columns. */
export interface AdvisoryRow {
  readonly id: string;
  readonly modified: Date;
  readonly published: Date | null;
  readonly withdrawn: boolean;
  readonly informational: boolean;
  /** The ecosystems of its packages, as far as we can match them. */
  readonly ecosystems: readonly Ecosystem[];
  /** SHA-256 of the facts, hex. */
  readonly hash: string;
  readonly json: string;
}

/** An advisory as stored, reduced to what a decision needs. */
export interface StoredAdvisory {
  readonly modified: Date;
  readonly hash: string;
  readonly informational: boolean;
  /** The ecosystems of its packages. */
  readonly ecosystems: readonly Ecosystem[];
}

export function toRow(advisory: Advisory): AdvisoryRow {
  const facts = storableJson({
    id: advisory.id,
    modified: advisory.modified,
    published: advisory.published,
    withdrawn: advisory.withdrawn,
    summary: advisory.summary,
    cves: advisory.cves,
    aliases: advisory.aliases,
    severity: advisory.severity,
    cvss_version: advisory.cvss?.version ?? null,
    cvss_score: advisory.cvss?.score ?? null,
    cvss_vector: advisory.cvss?.vector ?? null,
    malicious: advisory.malicious,
    informational: advisory.informational,
    cwes: advisory.cwes,
    references: advisory.references,
    reference_kinds: advisory.referenceKinds,
    details: advisory.details,
    packages: advisory.packages.map(({ ecosystem, name, affected, symbols }) => ({
      ecosystem,
      package_name: name,
      affected,
      symbols,
    })),
  });
  const hash = createHash('sha256').update(facts).digest('hex');
  return {
    id: storableText(advisory.id),
    modified: advisory.modified,
    published: advisory.published,
    withdrawn: advisory.withdrawn !== null,
    informational: advisory.informational !== null,
    ecosystems: [...new Set(advisory.packages.map(({ ecosystem }) => ecosystem))],
    hash,
    json: `{"content_hash":"${hash}",${facts.slice(1)}`,
  };
}

/** PostgreSQL's text cannot hold NUL or half a surrogate pair: both become U+FFFD, so that no advisory is lost. */
function storableJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/\\(u0000|ud[89a-f][0-9a-f]{2}|.)/g, (sequence: string, kind: string) =>
    kind === 'u0000' || kind.startsWith('ud') ? '\ufffd' : sequence,
  );
}

function storableText(text: string): string {
  return text.replaceAll(/\0|\p{Surrogate}/gu, '\ufffd');
}

/** Splits the rows into rounds without repeated ids, because one statement cannot write the same row twice. */
export function inRounds(rows: readonly AdvisoryRow[]): AdvisoryRow[][] {
  const rounds: AdvisoryRow[][] = [];
  const occurrences = new Map<string, number>();
  for (const row of rows) {
    const earlier = occurrences.get(row.id) ?? 0;
    occurrences.set(row.id, earlier + 1);
    const round = rounds[earlier];
    if (round === undefined) rounds.push([row]);
    else round.push(row);
  }
  return rounds;
}

/**
 * What to do with a row, given what is stored under its id. Some databases are published by ecosystem, and each file has
 * only some of an advisory's packages. Those parts are joined, so that one file does not remove the packages of another.
 * - `joined`: the stored revision with other content.
 * - `completed`: an older revision than the stored one, about an ecosystem that the stored one says nothing of.
 * - `skipped`: an older revision that adds nothing, or one without any package that we can match.
 */
export type Decision = 'added' | 'updated' | 'joined' | 'completed' | 'unchanged' | 'skipped';

export function decide(row: AdvisoryRow, stored: StoredAdvisory | undefined): Decision {
  if (stored === undefined) return row.ecosystems.length > 0 ? 'added' : 'skipped';
  if (stored.hash === row.hash) return 'unchanged';
  const newer = row.modified.getTime() - stored.modified.getTime();
  if (newer < 0) return row.ecosystems.every((each) => stored.ecosystems.includes(each)) ? 'skipped' : 'completed';
  return newer === 0 ? 'joined' : 'updated';
}
