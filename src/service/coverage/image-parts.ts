import { sql } from 'kysely';
import { formatCount } from '../../shared/text/number-text.js';
import type { Transaction } from '../db/database.js';
import type { Scope } from '../db/scope.js';
import { inScope } from '../db/scope.js';

interface Unsearched {
  readonly images: number;
  readonly library: number;
  readonly os: number;
}

/**
 * Images of which a part was never searched, as far as dated reports show: a scan may look for packages of languages or of the
 * system alone. An image without a known system has no packages of one.
 *
 * @param ref an image, to look at it alone
 */
export async function imagePartGaps(tx: Transaction, scope: Scope, ref?: string): Promise<string[]> {
  const isUnsearched = (part: string) => sql`not exists (
    select from newest_reports as report
    where report.organisation_id = image.organisation_id and report.project_id = image.project_id
      and report.domain = 'containers' and report.source = image.ref and report.part = ${part}
      and report.scope <@ array['image', 'squashed']
  )`;
  const { rows } = await sql<Unsearched>`
    select count(*)::integer as images, count(*) filter (where ${isUnsearched('library')})::integer as library,
      count(*) filter (where os is not null and ${isUnsearched('os')})::integer as os
    from container_images as image
    where ${inScope(scope, 'image')} ${ref === undefined ? sql`` : sql`and ref = ${ref}`}`.execute(tx);
  const { images, library, os } = rows[0] ?? { images: 0, library: 0, os: 0 };
  const gap = (count: number, packages: string) =>
    count === 0
      ? []
      : [`${formatCount(count)} of ${formatCount(images)} images have no dated scan of ${packages} packages`];
  return [...gap(library, 'language'), ...gap(os, 'system')];
}
