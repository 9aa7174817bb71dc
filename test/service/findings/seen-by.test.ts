import { createHash, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinFindings } from '../../../src/service/containers/join-findings.js';
import type { Scan } from '../../../src/service/findings/scan.js';
import { startService, type TestService } from '../../support/service.js';
import { reportedFinding } from '../posture/reported-finding.js';
import { newOrganisationWithProject } from '../projects/new-project.js';
import { scanWithin } from './land-scan.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const sha256 = (text: string) => createHash('sha256').update(text).digest();

/** What may look at an image: two tools, one of them also within a limit, at one part or both. */
const seers = [
  { tool: 'trivy', scope: ['image'] },
  { tool: 'grype', scope: ['image'] },
  { tool: 'grype', scope: ['image', 'squashed'] },
] as const;
const parts = ['os', 'library'] as const;
const names = ['os 1', 'os 2', 'library 1', 'library 2'] as const;

const scan = fc.record({
  seer: fc.constantFrom(...seers),
  searched: fc.subarray([...parts]),
  names: fc.subarray([...names]),
  suppressed: fc.subarray([...names]),
  /** Hours after the first day at which the report says it was made; null where it does not say. */
  made: fc.option(fc.nat(20), { freq: 3 }),
  /** Whether the same report is uploaded a second time. */
  again: fc.boolean(),
});
type Given = typeof scan extends fc.Arbitrary<infer Value> ? Value : never;

const partOf = (name: string) => (name.startsWith('os') ? 'os' : 'library');
const isWithin = (wide: Given['seer'], narrow: Given['seer']) =>
  wide.tool === narrow.tool && wide.scope.every((limit) => narrow.scope.some((each) => each === limit));

/**
 * The rule itself, over all scans: a scan that is older than one uploaded before it, of the same search or a wider one, does
 * not count. A finding is seen by a seer if the last scan that could tell (its own reports of it, and searches of its part
 * within the same limits or fewer) reported it.
 */
function expected(scans: readonly Given[]): Record<string, 'open' | 'suppressed' | 'fixed'> {
  const states: Record<string, 'open' | 'suppressed' | 'fixed'> = {};
  for (const name of names) {
    const part = partOf(name);
    const counting = scans.filter((each, at) => {
      const { made } = each;
      if (made === null) return true;
      const newer = (before: Given) => before.made !== null && before.made > made && before.searched.includes(part);
      return !scans.slice(0, at).some((before) => newer(before) && isWithin(before.seer, each.seer));
    });
    const live = seers.map((seer) => {
      const telling = counting.filter(
        (each) =>
          (each.names.includes(name) && each.seer === seer) ||
          (each.searched.includes(part) &&
            isWithin(each.seer, seer) &&
            (each.seer === seer || !each.names.includes(name))),
      );
      const last = telling.at(-1);
      return last?.names.includes(name) === true && last.seer === seer ? last : undefined;
    });
    const seeing = live.filter((each) => each !== undefined);
    if (!counting.some((each) => each.names.includes(name))) continue;
    if (seeing.length === 0) states[name] = 'fixed';
    else states[name] = seeing.some((each) => !each.suppressed.includes(name)) ? 'open' : 'suppressed';
  }
  return states;
}

async function newImage() {
  const { organisation, projectId } = await newOrganisationWithProject(service);
  const project = { organisationId: organisation.id, projectId };
  const start = Date.UTC(2026, 0, 1);
  const toScan = ({ seer, searched, names: reported, suppressed, made }: Given): Scan => ({
    ...{ domain: 'containers', source: 'image', mode: null, startedAt: null, join: joinFindings },
    searched: searched.length === 0 ? [] : [{ ...seer, parts: searched }],
    findings: reported.map((name) => ({
      ...reportedFinding(name, { tool: 'image-scan', seer, suppressed: suppressed.includes(name) }),
      part: partOf(name),
    })),
    contentHash: sha256(randomUUID()),
    reportedAt: made === null ? null : new Date(start + made * 3_600_000),
  });
  return {
    toScan,
    apply: (given: Scan, nth: number) =>
      service.database.tenant(organisation.id, (tx) =>
        scanWithin(tx, project, given, new Date(start + (48 + nth) * 3_600_000)),
      ),
    states: async () => {
      const rows = await service.database.system((tx) =>
        tx
          .selectFrom('findings')
          .select(['rule_id', 'state'])
          .where('project_id', '=', projectId)
          .where('removed_in', '=', 0)
          .execute(),
      );
      return Object.fromEntries(rows.map(({ rule_id, state }) => [rule_id, state]));
    },
  };
}

test('after any sequence of scans a finding is open while somebody’s newest search still has it', {
  timeout: 600_000,
}, async () => {
  let open = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(scan, { minLength: 1, maxLength: 10 }), async (given) => {
      const image = await newImage();
      for (const [nth, each] of given.entries()) {
        const before = await image.states();
        const uploaded = image.toScan(each);
        const { findings } = await image.apply(uploaded, nth);
        const after = await image.states();
        const changed = (was: string | undefined, is: string) =>
          names.filter((name) => before[name] === was && after[name] === is).length;
        expect(findings.new).toBe(changed(undefined, 'open'));
        expect(findings.reopened).toBe(changed('fixed', 'open') + changed('suppressed', 'open'));
        expect(findings.fixed).toBe(changed('open', 'fixed') + changed('suppressed', 'fixed'));
        expect(findings.new + findings.reopened + findings.unchanged + findings.suppressed).toBe(findings.total);
        if (each.again) {
          const second = await image.apply({ ...uploaded, contentHash: sha256(randomUUID()) }, nth);
          expect(second.findings).toMatchObject({ new: 0, reopened: 0, fixed: 0 });
          expect(await image.states()).toEqual(after);
        }
      }
      expect(await image.states()).toEqual(expected(given));
      open += Object.values(await image.states()).filter((state) => state === 'open').length;
    }),
    { numRuns: 60 },
  );
  expect(open).toBeGreaterThan(20);
});

test('scans of one image by two tools at once leave the findings of both', async () => {
  const image = await newImage();
  const by = (nth: 0 | 1, found: Given['names']): Given => ({
    ...{ seer: seers[nth], searched: [...parts], names: found, suppressed: [], made: null, again: false },
  });
  await Promise.all([
    image.apply(image.toScan(by(0, ['os 1', 'os 2'])), 0),
    image.apply(image.toScan(by(1, ['os 2', 'library 1'])), 0),
    image.apply(image.toScan(by(0, ['os 1', 'os 2'])), 0),
  ]);
  expect(await image.states()).toEqual({ 'library 1': 'open', 'os 1': 'open', 'os 2': 'open' });
});
