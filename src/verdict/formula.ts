import type { AttackVector, Exposure, Severity, Usage } from '../shared/vulnerability-terms.js';

export type { AttackVector, Exposure, Severity, Usage };

/**
 * The constants of the formula, in this one place. They travel with every verdict by the formula's name: a change of any
 * of them is a new name.
 */
export const formula = {
  name: 'ep-1',
  /** S where an advisory has a label but no CVSS vector, and where it has neither. */
  severityByLabel: { low: 0.3, moderate: 0.5, high: 0.75, critical: 0.9 },
  severityUnknown: 0.5,
  /** EPSS of 10^-3 and less counts as 0, of 1 as 1, by its logarithm: L = (log10(EPSS) + decades) / decades. */
  epssDecades: 3,
  likelihoodUnknown: 1 / 3,
  /** T = threatBase + threatSpan * L; observed exploitation is 1, which no prediction reaches. */
  threatBase: 0.3,
  threatSpan: 0.65,
  threatKev: 1,
  /** R = T^threatWeight * S^severityWeight. */
  threatWeight: 0.6,
  severityWeight: 0.4,
  usage: { called: 1, imported: 0.85, transitive_only: 0.5, dev_only: 0.25, not_used: 0.1 },
  /** A known exploited vulnerability scores at least this. */
  kevFloor: { called: 85, imported: 75, transitive_only: 60, dev_only: 35, not_used: 20 },
  reach: {
    N: { internet: 1, unknown: 0.9, internal: 0.75, isolated: 0.5 },
    A: { internet: 0.85, unknown: 0.8, internal: 0.7, isolated: 0.5 },
    L: { internet: 0.65, unknown: 0.65, internal: 0.6, isolated: 0.5 },
    P: { internet: 0.5, unknown: 0.5, internal: 0.5, isolated: 0.4 },
  },
  /** Lowest EffectivePriority of a band. */
  likelyExploitable: 60,
  needsReview: 30,
} as const;

/** What EffectivePriority is computed from; null is "not known", which never counts as zero. */
export interface PriorityInputs {
  readonly usage: Usage;
  /** CVSS base score, 0-10. */
  readonly cvssScore: number | null;
  /** The advisory's label, used where there is no score. */
  readonly severity: Severity | null;
  /** EPSS probability of exploitation within 30 days, 0-1. */
  readonly epss: number | null;
  readonly kev: boolean;
  readonly attackVector: AttackVector | null;
  readonly exposure: Exposure;
}

/** EffectivePriority with the terms it was made of, each as it entered the product. */
export interface Priority {
  /** 0-100, rounded to 0.1. */
  readonly score: number;
  /** 100 * R, rounded to 0.1: the vulnerability's own risk, whatever the project. */
  readonly risk: number;
  readonly usageFactor: number;
  readonly exposureFactor: number;
  /** The floor that raised the score, where one did. */
  readonly raisedToFloor: number | null;
}

/**
 * EffectivePriority by formula ep-1: EP = 100 * T^0.6 * S^0.4 * U[usage] * X[attack vector][exposure], and at least the
 * floor of its usage when the vulnerability is known to be exploited. Monotone in every input.
 */
export function effectivePriority(inputs: PriorityInputs): Priority {
  const threat = inputs.kev ? formula.threatKev : formula.threatBase + formula.threatSpan * likelihood(inputs.epss);
  const risk = 100 * threat ** formula.threatWeight * impact(inputs) ** formula.severityWeight;
  const usageFactor = formula.usage[inputs.usage];
  const exposureFactor = formula.reach[inputs.attackVector ?? 'N'][inputs.exposure];
  const computed = roundToTenth(risk * usageFactor * exposureFactor);
  const floor = inputs.kev ? formula.kevFloor[inputs.usage] : 0;
  return {
    score: Math.max(computed, floor),
    risk: roundToTenth(risk),
    usageFactor,
    exposureFactor,
    raisedToFloor: floor > computed ? floor : null,
  };
}

/** S, 0-1. */
function impact({ cvssScore, severity }: PriorityInputs): number {
  if (cvssScore !== null) return cvssScore / 10;
  return severity === null ? formula.severityUnknown : formula.severityByLabel[severity];
}

/** L, 0-1. */
function likelihood(epss: number | null): number {
  if (epss === null) return formula.likelihoodUnknown;
  const decades = (Math.log10(epss) + formula.epssDecades) / formula.epssDecades;
  return Math.min(1, Math.max(0, decades));
}

function roundToTenth(value: number): number {
  return Math.round(value * 10) / 10;
}
