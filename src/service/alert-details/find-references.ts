import { sql } from 'kysely';
import { detailLimits, type ReferenceKind } from '../../procedures/alert-details.js';
import type { Transaction } from '../db/database.js';

/** What an address shows of its kind. The feeds' own kinds are not kept. */
const kinds: ReadonlyArray<readonly [pattern: RegExp, kind: ReferenceKind]> = [
  [/\/(?:commit|pull|merge_requests|compare)\/|\/-\/commit\//, 'fix'],
  [/\/\/(?:github\.com\/advisories|osv\.dev|nvd\.nist\.gov|rustsec\.org)\/|\/security\/advisories\//, 'advisory'],
  [/\/(?:issues|bugs)\/|\/\/(?:hackerone\.com|huntr\.dev|huntr\.com)\//, 'report'],
];

/** Addresses that the alert's advisories name: advisories and fixes first. */
export async function findReferences(tx: Transaction, advisoryIds: readonly string[]) {
  const advisories = await tx
    .selectFrom('advisories')
    .select('references')
    .where(sql<boolean>`id = any (${advisoryIds}::text[])`)
    .orderBy('id')
    .execute();
  const urls = [...new Set(advisories.flatMap(({ references }) => references))];
  const order = ['advisory', 'fix', 'report', 'web'];
  return urls
    .map((url) => ({ kind: kindOf(url), url }))
    .toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
    .slice(0, detailLimits.references);
}

function kindOf(url: string): ReferenceKind {
  return kinds.find(([pattern]) => pattern.test(url))?.[1] ?? 'web';
}
