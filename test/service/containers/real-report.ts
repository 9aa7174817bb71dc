import { expect } from 'vitest';
import { at } from '../../support/at.js';
import type { TestService } from '../../support/service.js';
import { newScannedProject, realReport } from './scanned-project.js';

/** A real report, and what it becomes. */
export interface RealReport {
  readonly file: string;
  /** Given with the upload, where the report names no image. */
  readonly image?: string;
  readonly ref: string;
  /** By jq over the file: distinct vulnerability, package and place. */
  readonly findings: number;
  readonly layers: Readonly<Record<'base_image' | 'own' | 'unknown', number>>;
  /** By jq too: rows of vulnerabilities, and of kinds that are not kept. */
  readonly rows?: number;
  readonly leftOut?: Readonly<Record<string, number>>;
}

export const none = { base_image: 0, own: 0, unknown: 0 };

/** The report is taken with all its findings, and changes nothing when it comes again. */
export async function expectTaken(
  service: TestService,
  { file, image, ref, findings, layers, rows, leftOut = {} }: RealReport,
) {
  const { upload, items } = await newScannedProject(service);
  const report = realReport(file);
  const answer = await upload(report, image);
  expect(answer).toMatchObject({
    status: 200,
    body: {
      duplicate: false,
      findings: { total: findings, new: findings, fixed: 0 },
      receipt: {
        rows: Object.values(leftOut).reduce((sum, count) => sum + count, rows ?? findings),
        taken: findings,
        merged: (rows ?? findings) - findings,
        skipped: 0,
        left_out: Object.entries(leftOut).map(([kind, count]) => ({ kind, count })),
      },
    },
  });
  const listed = await items('/findings');
  expect(listed).toHaveLength(findings);
  const counted = { ...none };
  for (const { layer } of listed) {
    if (layer === 'base_image' || layer === 'own' || layer === 'unknown') counted[layer] += 1;
  }
  expect(counted).toEqual(layers);
  const tiers = at(answer.body, 'tiers');
  expect(await items('/images')).toMatchObject([{ ref, tiers, monitored: false }]);
  expect(await upload(report, image)).toMatchObject({
    body: { duplicate: true, findings: { total: findings, new: 0, reopened: 0, fixed: 0 } },
  });
}

/** The report is refused, because it names no image and none is given. */
export async function expectNoImage(service: TestService, { file }: RealReport) {
  const { upload, findings } = await newScannedProject(service);
  expect(await upload(realReport(file))).toMatchObject({
    status: 422,
    body: { code: 'invalid_input', errors: [{ field: 'image', reason: 'no_image_ref' }] },
  });
  expect(await findings()).toEqual([]);
}
