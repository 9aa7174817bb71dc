import type { AttackVector, Exposure, Severity, Usage } from '../shared/vulnerability-terms.js';

/** All constants of the formula. Every verdict keeps its name, so a change of any constant needs a new name. */
export const formula = {
  name: 'ep-2',
  /** S where an advisory has a label but no CVSS vector, and where it has neither. */
  severityByLabel: { low: 0.3, moderate: 0.5, high: 0.75, critical: 0.9 },
  severityUnknown: 0.5,
  /** L = (log10(EPSS) + decades) / decades: an EPSS of 1 gives 1, of 10^-3 or less 0. */
  epssDecades: 3,
  likelihoodUnknown: 1 / 3,
  /** T = threatBase + threatSpan * L. Observed exploitation is 1, which a prediction never reaches. */
  threatBase: 0.3,
  threatSpan: 0.65,
  threatKev: 1,
  /** R = T^threatWeight * S^severityWeight. */
  threatWeight: 0.6,
  severityWeight: 0.4,
  usage: {
    called: 1,
    imported: 0.85,
    loaded: 0.7,
    transitive_only: 0.6,
    not_analyzed: 0.6,
    not_loaded: 0.3,
    dev_only: 0.25,
    not_used: 0.1,
  },
  /** The least score of a known exploited vulnerability. */
  kevFloor: {
    called: 85,
    imported: 75,
    loaded: 70,
    transitive_only: 60,
    not_analyzed: 60,
    not_loaded: 40,
    dev_only: 35,
    not_used: 20,
  },
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

/**
 * The factor of ep-1 that ep-2 changed. Classes that ep-1 did not have are not in verdicts stored under it. Such a verdict
 * keeps its values until it is recomputed.
 */
const ep1Usage = { ...formula.usage, transitive_only: 0.5 };

/** Names of formulas that stored verdicts may have been computed by. */
export type FormulaName = 'ep-1' | typeof formula.name;

/** What EffectivePriority is computed from. Null means "not known", which never counts as zero. */
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

/** EffectivePriority and the factors of its product. */
export interface Priority {
  /** 0-100, rounded to 0.1. */
  readonly score: number;
  /** 100 * R, rounded to 0.1: the vulnerability's risk in any project. */
  readonly risk: number;
  readonly usageFactor: number;
  readonly exposureFactor: number;
  /** The floor that raised the score; null where none did. */
  readonly raisedToFloor: number | null;
  readonly formula: FormulaName;
}

/**
 * EffectivePriority by formula ep-2: EP = 100 * T^0.6 * S^0.4 * U[usage] * X[attack vector][exposure]. If the vulnerability
 * is known to be exploited, it is at least the floor of its usage. Monotone in every input.
 *
 * @param name the formula of a stored verdict
 */
export function effectivePriority(inputs: PriorityInputs, name: FormulaName = formula.name): Priority {
  const usage = name === 'ep-1' ? ep1Usage : formula.usage;
  const { threat, impact } = riskFactors(inputs);
  const risk = 100 * threat ** formula.threatWeight * impact ** formula.severityWeight;
  const usageFactor = usage[inputs.usage];
  const exposureFactor = formula.reach[inputs.attackVector ?? 'N'][inputs.exposure];
  const computed = roundToTenth(risk * usageFactor * exposureFactor);
  const floor = inputs.kev ? formula.kevFloor[inputs.usage] : 0;
  return {
    score: Math.max(computed, floor),
    risk: roundToTenth(risk),
    usageFactor,
    exposureFactor,
    raisedToFloor: floor > computed ? floor : null,
    formula: name,
  };
}

/** T and S of the formula, 0-1: how likely exploitation is anywhere, and how bad it would be. Both formulas have the same. */
export function riskFactors(inputs: Omit<PriorityInputs, 'usage' | 'exposure' | 'attackVector'>) {
  const threat = inputs.kev ? formula.threatKev : formula.threatBase + formula.threatSpan * likelihood(inputs.epss);
  return { threat, impact: severityFactor(inputs) };
}

/** S of the formula, 0-1. */
function severityFactor({ cvssScore, severity }: Pick<PriorityInputs, 'cvssScore' | 'severity'>): number {
  if (cvssScore !== null) return cvssScore / 10;
  return severity === null ? formula.severityUnknown : formula.severityByLabel[severity];
}

/** L of the formula, 0-1. */
function likelihood(epss: number | null): number {
  if (epss === null) return formula.likelihoodUnknown;
  const decades = (Math.log10(epss) + formula.epssDecades) / formula.epssDecades;
  return Math.min(1, Math.max(0, decades));
}

function roundToTenth(value: number): number {
  return Math.round(value * 10) / 10;
}
