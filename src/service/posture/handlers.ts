import type * as z from 'zod';
import type { posture } from '../../procedures/posture.js';
import { named } from '../../procedures/posture-parts.js';
import type { Handlers } from '../api/handler.js';
import { countFindings, countTransitions, isOpen, totalOf } from '../counts/finding-counts.js';
import { domainCoverage } from '../coverage/coverage.js';
import { listPostures } from './list-projects.js';
import { getRevisions } from './revisions.js';
import { dayOf, daysOf, inScopeOf, windowStart } from './scope.js';
import { getTrend } from './trend.js';
import { worstNew, worstRisks, worstUpgrades } from './worst.js';

type Summary = z.output<typeof posture.getDomainSummary.output>;
type TierName = keyof Summary['tiers'];

/** Days that a summary's trend covers. */
const trendDays = 7;

const tierNames = { RED: 'red', YELLOW: 'yellow', GREEN: 'green' } as const;

export const postureHandlers: Omit<Handlers['posture'], 'getReceipt'> = {
  async getDomainDiff(ctx, { domain, window_days, ...asked }) {
    const { tx, now } = ctx;
    const start = windowStart(now, window_days);
    const since = dayOf(start);
    const [counts, transitions, worst_new, coverage] = await inScopeOf(ctx, asked, (scope) => {
      const counted = countFindings(tx, scope, domain);
      return Promise.all([
        counted,
        countTransitions(tx, scope, domain, since),
        worstNew(tx, scope, domain, daysOf(start, now), named.new),
        domainCoverage(tx, { scope, domain }, now, counted),
      ]);
    });
    return {
      domain,
      since: start,
      new: transitions.reduce((total, { appeared }) => total + appeared, 0),
      reopened: transitions.reduce((total, { reopened }) => total + reopened, 0),
      resolved: transitions.reduce((total, { resolved }) => total + resolved, 0),
      open: totalOf(counts, isOpen),
      worst_new,
      coverage,
    };
  },

  async getDomainRisks(ctx, { domain, since, ...asked }) {
    const { tx, now } = ctx;
    const [counts, risks, coverage] = await inScopeOf(ctx, asked, (scope) => {
      const counted = countFindings(tx, scope, domain);
      return Promise.all([
        counted,
        worstUpgrades({ tx, now }, scope, domain, named.risks, since),
        domainCoverage(tx, { scope, domain }, now, counted),
      ]);
    });
    return {
      domain,
      risks,
      de_escalated: totalOf(counts, ({ state, band }) => state === 'open' && band === 'likely_not_exploitable'),
      triaged: totalOf(counts, ({ state }) => state === 'open_acknowledged' || state === 'suppressed'),
      coverage,
    };
  },

  async getDomainSummary(ctx, { domain, ...asked }) {
    const { tx, now } = ctx;
    const [counts, transitions, [worst = null], coverage] = await inScopeOf(ctx, asked, (scope) => {
      const counted = countFindings(tx, scope, domain);
      return Promise.all([
        counted,
        countTransitions(tx, scope, domain, dayOf(windowStart(now, trendDays))),
        worstRisks(tx, scope, domain, 1),
        domainCoverage(tx, { scope, domain }, now, counted),
      ]);
    });
    const summary: Summary = {
      domain,
      worst,
      open: { critical: 0, high: 0, medium: 0, low: 0, info: 0, unknown: 0 },
      acknowledged: 0,
      suppressed: 0,
      tiers: { red: noChanges(), yellow: noChanges(), green: noChanges() },
      coverage,
    };
    for (const row of counts) {
      if (row.state === 'suppressed') summary.suppressed += row.count;
      if (row.state === 'open_acknowledged') summary.acknowledged += row.count;
      if (!isOpen(row)) continue;
      summary.open[row.severity] += row.count;
      summary.tiers[tierNames[row.tier]].open += row.count;
      summary.tiers[tierNames[row.tier]].before += row.count;
    }
    for (const { tier, appeared, reopened, resolved, net } of transitions) {
      const changes = summary.tiers[tierNames[tier]];
      changes.new += appeared;
      changes.reopened += reopened;
      changes.resolved += resolved;
      changes.before -= net;
    }
    return summary;
  },

  async getVerdictCounts(ctx, asked) {
    const counts = await inScopeOf(ctx, asked, (scope) => countFindings(ctx.tx, scope, 'dependencies'));
    const bands = {
      known_exploited: 0,
      likely_exploitable: 0,
      needs_review: 0,
      likely_not_exploitable: 0,
      unanalyzed: 0,
    };
    for (const row of counts) if (isOpen(row) && row.band !== '') bands[row.band] += row.count;
    return bands;
  },

  getRevisions,
  getTrend,
  listProjects: listPostures,
};

function noChanges(): Summary['tiers'][TierName] {
  return { before: 0, new: 0, reopened: 0, resolved: 0, open: 0 };
}
