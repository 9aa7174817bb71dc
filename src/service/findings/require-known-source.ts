import { maxLikely, type Reason } from '../../procedures/problem.js';
import type { Transaction } from '../db/database.js';
import { isListed, type Scope } from '../db/scope.js';
import { unknownValue } from '../http/api-error.js';
import type { FindingRow } from './finding-row.js';

interface Asked {
  readonly scope: Scope;
  readonly domain: FindingRow['domain'];
  /** The input's field and the source in it, where one is given. */
  readonly field: string;
  readonly source: string | undefined;
  /** A source as the input takes it: scans may name one in several ways. */
  readonly spell?: (source: string) => string;
}

const reason: Reason = 'unknown_source';

/**
 * Throws where a list without rows asks for a repository or site that was never scanned in its scope, and something
 * else was: the error names some of what was. Without any scan the list's coverage says so.
 */
export async function requireKnownSource(tx: Transaction, total: number, asked: Asked): Promise<void> {
  const { scope, domain, field, source, spell = (each) => each } = asked;
  if (total > 0 || source === undefined) return;
  const scans = tx.selectFrom('scan_jobs').where(isListed(scope)).where('domain', '=', domain);
  const known = await scans.select('id').where('source', '=', source).limit(1).executeTakeFirst();
  if (known !== undefined) return;
  const others = await scans
    .select('source')
    .distinct()
    .orderBy('source')
    .limit(maxLikely * 2)
    .execute();
  if (others.length > 0) throw unknownValue(field, reason, [...new Set(others.map((row) => spell(row.source)))]);
}
