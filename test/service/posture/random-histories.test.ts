import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { domains } from '../../../src/procedures/risk.js';
import type { ReportedFinding } from '../../../src/service/findings/scan.js';
import { startService, type TestService } from '../../support/service.js';
import { advisory, storeAdvisory, unique } from '../alerts/advisories.js';
import { type Recounted, recount, worstIds } from './brute-force.js';
import { type ClockedOrganisation, clockedOrganisation } from './clocked-organisation.js';
import { reportedFinding } from './reported-finding.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const hour = 60 * 60 * 1000;
const day = 24 * hour;

/** Packages with one advisory each: every tier, one with a CVE of its own for EPSS and KEV. */
const known = [
  { score: 9.8, severity: 'critical' as const },
  { score: 7.5, severity: 'high' as const },
  { score: 5, severity: 'moderate' as const },
  { score: 2, severity: 'low' as const },
  { score: null, severity: null },
].map((facts) => ({ ...facts, name: unique.packageName(), cve: unique.cve() }));

const purlOf = ({ name }: { readonly name: string }) => `pkg:npm/${name}@1.0.0`;

const place = fc.nat(20);
const project = fc.nat(1);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('sync' as const), project, packages: fc.subarray(known) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('scan' as const),
      project,
      domain: fc.constantFrom('code' as const, 'running_app' as const, 'containers' as const),
      findings: fc.uniqueArray(
        fc.record({
          name: fc.nat(5),
          severity: fc.constantFrom('critical', 'high', 'medium', 'low', 'info'),
          tier: fc.constantFrom('RED', 'YELLOW', 'GREEN'),
          suppressed: fc.boolean(),
          epss: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
          kev_added: fc.option(fc.constant('2024-01-01'), { freq: 6 }),
          in_production: fc.boolean(),
        }),
        { selector: ({ name }) => name, maxLength: 6 },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('report' as const),
      project,
      usages: fc.array(fc.constantFrom('reached', 'imported', 'transitive', 'tooling', 'unused'), {
        minLength: known.length,
        maxLength: known.length,
      }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('acknowledge' as const), place, is: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('override' as const),
      place,
      verdict: fc.constantFrom('NotExploitable', 'Exploitable', null),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('intelligence' as const),
      place,
      epss: fc.double({ min: 0, max: 1, noNaN: true }),
      kev: fc.boolean(),
    }),
  },
);

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
/** Hours until the step, and the step: several on a day, or days between. */
const history = fc.array(fc.tuple(fc.constantFrom(0, 1, 5, 23, 24, 50), step), { minLength: 3, maxLength: 18 });

function reported(findings: Extract<Step, { kind: 'scan' }>['findings']): ReportedFinding[] {
  return findings.map(({ name, in_production, ...facts }) =>
    reportedFinding(String(name), { ...facts, details: { in_production } }),
  );
}

async function take(organisation: ClockedOrganisation, now: Date, given: Step): Promise<void> {
  const projectOf = (nth: number) => organisation.projectIds[nth] ?? '';
  switch (given.kind) {
    case 'sync':
      await organisation.sync(now, projectOf(given.project), given.packages.map(purlOf));
      return;
    case 'scan':
      await organisation.scan(now, projectOf(given.project), given.domain, reported(given.findings));
      return;
    case 'report': {
      const usages = known.map((each, nth) => [purlOf(each), given.usages[nth] ?? 'unused'] as const);
      await organisation.report(now, projectOf(given.project), usages);
      return;
    }
    case 'acknowledge': {
      const alerts = await openAlerts(organisation);
      const alert = alerts[given.place % Math.max(1, alerts.length)];
      if (alert !== undefined) await organisation.acknowledge(now, alert.project_id, alert.id, given.is);
      return;
    }
    case 'override': {
      const withVerdict = (await openAlerts(organisation)).filter(({ verdict_id }) => verdict_id !== null);
      const alert = withVerdict[given.place % Math.max(1, withVerdict.length)];
      if (alert?.verdict_id) await organisation.override(now, alert.project_id, alert.verdict_id, given.verdict);
      return;
    }
    case 'intelligence': {
      const about = known[given.place % known.length];
      if (about !== undefined) await setExploitation(about.cve, given);
      for (const id of organisation.projectIds) await organisation.reconcile(now, id);
    }
  }
}

function openAlerts({ organisation }: ClockedOrganisation) {
  return service.database.system((tx) =>
    tx
      .selectFrom('alerts')
      .leftJoin('verdicts', 'verdicts.alert_id', 'alerts.id')
      .select(['alerts.id', 'alerts.project_id', 'verdicts.id as verdict_id'])
      .where('alerts.organisation_id', '=', organisation.id)
      .where('resolved_at', 'is', null)
      .orderBy('alerts.id')
      .execute(),
  );
}

async function setExploitation(cve: string, { epss, kev }: { readonly epss: number; readonly kev: boolean }) {
  await service.database.system(async (tx) => {
    await tx.deleteFrom('epss').where('cve', '=', cve).execute();
    await tx.deleteFrom('kev').where('cve', '=', cve).execute();
    const scored = { probability: epss, percentile: epss, scored_on: '2024-01-01', model: 'any' };
    await tx
      .insertInto('epss')
      .values({ cve, ...scored })
      .execute();
    if (kev)
      await tx.insertInto('kev').values({ cve, date_added: '2024-01-01', due_date: null, ransomware: false }).execute();
  });
}

/** The moments at which each finding was seen to become open, and to stop being open. */
interface Seen {
  readonly came: number[];
  readonly went: number[];
}

/** All that posture answers, against a recount of all rows and what happened to each of them. */
async function check(organisation: ClockedOrganisation, now: Date, seenOf: (id: string) => Seen): Promise<number> {
  const all = await recount(service.database, organisation.organisation.id);
  for (const projectId of [undefined, ...organisation.projectIds]) {
    const ofScope = all.filter((each) => projectId === undefined || each.projectId === projectId);
    for (const domain of domains) {
      const findings = ofScope.filter((each) => each.domain === domain);
      for (const days of [1, 3, 7, 90]) {
        const since = Math.floor(now.getTime() / day) * day - days * day;
        const { worst_new, coverage, ...answer } = await organisation.diff(now, domain, projectId, days);
        const { before: _before, ...changes } = changesOf(findings, since, seenOf);
        expect(answer).toEqual({ domain, since: new Date(since), ...changes });
        expect(coverage.status === 'affected').toBe(findings.some(({ open }) => open));
        const came = findings.filter(({ id, open }) => open && seenOf(id).came.some((at) => at >= since));
        expect(worst_new.map(({ id }) => id)).toEqual(worstIds(came, 5));
      }
      const risks = await organisation.risks(now, domain, projectId);
      const ranked = findings.filter((each) => each.ranked !== null && each.ranked.risk !== 'other');
      expect(risks.risks.map(({ id }) => id)).toEqual(worstIds(ranked, 10));
      expect(risks.triaged).toBe(count(findings, (each) => each.suppressed || (each.open && each.acknowledged)));
      expect(risks.de_escalated).toBe(count(findings, (each) => each.open && !each.acknowledged && each.deEscalated));
      const { worst, coverage: _coverage, ...summary } = await organisation.summary(now, domain, projectId);
      expect(worst?.id).toBe(worstIds(ranked, 1)[0]);
      const weekAgo = Math.floor(now.getTime() / day) * day - 7 * day;
      const ofSeverity = (severity: Recounted['severity']) =>
        count(findings, (each) => each.open && each.severity === severity);
      const ofTier = (tier: Recounted['tier']) =>
        changesOf(
          findings.filter((each) => each.tier === tier),
          weekAgo,
          seenOf,
        );
      expect(summary).toEqual({
        domain,
        open: {
          ...{ critical: ofSeverity('critical'), high: ofSeverity('high'), medium: ofSeverity('medium') },
          ...{ low: ofSeverity('low'), info: ofSeverity('info'), unknown: ofSeverity('unknown') },
        },
        acknowledged: count(findings, (each) => each.open && each.acknowledged),
        suppressed: count(findings, (each) => each.suppressed),
        tiers: { red: ofTier('RED'), yellow: ofTier('YELLOW'), green: ofTier('GREEN') },
      });
    }
    const trend = await organisation.trend(now, projectId, 90);
    for (const domain of domains) {
      const findings = ofScope.filter((each) => each.domain === domain);
      // A domain where something was found was looked at, and its history begins before the first of it.
      const first = Math.min(...findings.flatMap(({ id }) => seenOf(id).came));
      if (findings.length > 0)
        expect(trend.domains[domain].known_since?.getTime() ?? Infinity).toBeLessThanOrEqual(first);
      for (const point of trend.domains[domain].days) expect(point).toEqual(pointOf(findings, point.day, seenOf));
    }
    for (const point of trend.all.days) expect(point).toEqual(pointOf(ofScope, point.day, seenOf));
    expect(trend.all.days.at(-1)?.day).toBe(trend.all.days.length === 0 ? undefined : now.toISOString().slice(0, 10));
    const alerts = ofScope.filter(({ domain, open }) => domain === 'dependencies' && open);
    const ofBand = (band: Recounted['band']) => count(alerts, (each) => each.band === band);
    expect(await organisation.verdictCounts(now, projectId)).toEqual({
      ...{ known_exploited: ofBand('known_exploited'), likely_exploitable: ofBand('likely_exploitable') },
      ...{ needs_review: ofBand('needs_review'), likely_not_exploitable: ofBand('likely_not_exploitable') },
      unanalyzed: ofBand(null),
    });
  }
  return count(all, ({ open }) => open);
}

function pointOf(findings: readonly Recounted[], date: string, seenOf: (id: string) => Seen) {
  const begin = Date.parse(date);
  const end = begin + day;
  const isThatDay = (at: number | undefined) => at !== undefined && at >= begin && at < end;
  const wasOpen = ({ id }: Recounted) =>
    seenOf(id).came.filter((at) => at < end).length > seenOf(id).went.filter((at) => at < end).length;
  const openOf = (tier: Recounted['tier']) => count(findings, (each) => each.tier === tier && wasOpen(each));
  return {
    day: date,
    open: { red: openOf('RED'), yellow: openOf('YELLOW'), green: openOf('GREEN') },
    new: count(findings, ({ id }) => isThatDay(seenOf(id).came[0])),
    resolved: count(findings, ({ id }) => isThatDay(seenOf(id).went.at(-1))),
  };
}

function changesOf(findings: readonly Recounted[], since: number, seenOf: (id: string) => Seen) {
  const isNew = ({ id }: Recounted) => (seenOf(id).came[0] ?? 0) >= since;
  const wasOpen = ({ id }: Recounted) => {
    const { came, went } = seenOf(id);
    return came.filter((at) => at < since).length > went.filter((at) => at < since).length;
  };
  return {
    before: count(findings, wasOpen),
    new: count(findings, isNew),
    reopened: count(findings, (each) => !isNew(each) && seenOf(each.id).came.some((at) => at >= since)),
    resolved: count(findings, ({ id }) => seenOf(id).went.some((at) => at >= since)),
    open: count(findings, ({ open }) => open),
  };
}

function count(findings: readonly Recounted[], is: (finding: Recounted) => boolean): number {
  return findings.filter(is).length;
}

describe('after any history of syncs, scans, reports, acknowledgements, overrides and intelligence', () => {
  test('every count is a recount’s, and a window counts what happened in it', {
    timeout: 600_000,
  }, async () => {
    for (const { name, cve, score, severity } of known) {
      const scored = score !== null && {
        ...{ cvss_score: score, cvss_version: '3.1', cvss_vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' },
      };
      const facts = { cves: [cve], severity, ...scored };
      await storeAdvisory(service.database, name, advisory(unique.advisoryId(), '0.0.1', '2.0.0', facts));
    }
    let seen = 0;
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const organisation = await clockedOrganisation(service);
        let now = Date.UTC(2026, 0, 1, 9);
        const histories = new Map<string, Seen>();
        const seenOf = (id: string) => histories.get(id) ?? { came: [], went: [] };
        for (const [hours, given] of steps) {
          now += hours * hour;
          await take(organisation, new Date(now), given);
          for (const { id, open } of await recount(service.database, organisation.organisation.id)) {
            const history = seenOf(id);
            histories.set(id, history);
            const wasOpen = history.came.length > history.went.length;
            if (open !== wasOpen) (open ? history.came : history.went).push(now);
          }
        }
        seen += await check(organisation, new Date(now), seenOf);
      }),
      { numRuns: 20 },
    );
    expect(seen).toBeGreaterThan(20);
  });
});
