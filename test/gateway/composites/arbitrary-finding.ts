import fc from 'fast-check';
import { domains, type RankedFinding, rankedFinding, risk } from '../../../src/procedures/risk.js';
import { tier, usageClass } from '../../../src/procedures/vulnerability.js';

/** A finding that differs from others only in what a test says. */
export function finding(given: Partial<RankedFinding> = {}): RankedFinding {
  return {
    id: 'alr_1',
    domain: 'dependencies',
    project: { id: 'prj_1', name: 'shop' },
    risk: 'reachable',
    title: 'Prototype pollution',
    tier: 'YELLOW',
    severity: 'high',
    cve: 'CVE-2021-23337',
    package: 'pkg:npm/lodash@4.17.11',
    location: null,
    usage: 'imported',
    effective_priority: 47,
    epss: 0.0055,
    kev: false,
    ...given,
  };
}

const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });

/** Few values each, so that ties in every place of the order come up. */
const rankedBy = fc.record({
  risk: fc.constantFrom(...risk.options),
  tier: fc.constantFrom(...tier.options),
  severity: fc.constantFrom(...rankedFinding.shape.severity.options),
  usage: orNull(fc.constantFrom(...usageClass.options)),
  effective_priority: orNull(fc.constantFrom(0, 29.9, 30, 60, 60.1, 100)),
  epss: orNull(fc.constantFrom(0, 0.009, 0.01, 0.011, 0.5, 1)),
});

/** Findings of all domains, each with an id of its own. */
export const findings: fc.Arbitrary<RankedFinding[]> = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...domains), fc.stringMatching(/^[a-z2-7]{1,3}$/)), {
    maxLength: 80,
    selector: ([domain, id]) => `${domain} ${id}`,
  })
  .chain((named) =>
    fc.tuple(
      ...named.map(([domain, id]) =>
        rankedBy.map((ranked) => finding({ ...ranked, domain, id, kev: ranked.risk === 'known_exploited' })),
      ),
    ),
  );
