import { describe, expect, test } from 'vitest';
import { alertPage, domainDiff, domainRisks, domainSummary, verdictCounts } from '../../bench/gateway/upstream-rows.js';
import { procedures } from '../../src/procedures/index.js';
import { domains } from '../../src/procedures/risk.js';

const { alerts, posture } = procedures;

/** A bench that answers what the schemas refuse measures errors, or nothing. */
describe('what the upstream of the gateway’s bench answers is as the service answers', () => {
  test.each([1, 25, 100])('a page of %i alerts', (rows) => {
    expect(alerts.list.output.parse(alertPage(rows)).items).toHaveLength(rows);
  });

  test.each(domains)('the parts of %s', (domain) => {
    expect(posture.getDomainDiff.output.parse(domainDiff(domain)).domain).toBe(domain);
    expect(posture.getDomainRisks.output.parse(domainRisks(domain)).domain).toBe(domain);
    expect(posture.getDomainSummary.output.parse(domainSummary(domain)).domain).toBe(domain);
  });

  test('the counts of verdicts', () => {
    expect(posture.getVerdictCounts.output.parse(verdictCounts)).toEqual(verdictCounts);
  });
});
