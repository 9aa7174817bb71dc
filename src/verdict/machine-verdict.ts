import type { VerdictBand } from '../shared/vulnerability-terms.js';
import { bandOf } from './band.js';
import type { StoredEvidence } from './evidence.js';
import { effectivePriority, type FormulaName, formula, type Priority, type PriorityInputs } from './formula.js';

/** The formula's inputs, all from the stored evidence: so the score of a verdict can be computed again. */
export function priorityInputs({ usage, exploit, exposure }: StoredEvidence): PriorityInputs {
  return {
    usage: usage.usage,
    cvssScore: exploit.cvss?.score ?? null,
    severity: exploit.severity,
    epss: exploit.epss?.probability ?? null,
    kev: exploit.kev !== null,
    attackVector: exploit.attackVector,
    exposure,
  };
}

/**
 * The machine's verdict on the evidence. The same evidence always gives the same verdict.
 *
 * @param name the formula that the evidence was stored with
 */
export function machineVerdict(
  evidence: StoredEvidence,
  name: FormulaName = formula.name,
): Priority & { readonly band: VerdictBand } {
  const priority = effectivePriority(priorityInputs(evidence), name);
  return { ...priority, band: bandOf(priority.score, evidence.exploit.kev !== null) };
}

/**
 * The evidence that a person decides on, as a text to compare. EPSS changes a little every day, so instead of its date and
 * digits the score is in it, rounded to a tenth. Otherwise every override would count as outdated the next day.
 */
export function evidenceSignature(evidence: StoredEvidence, name: FormulaName = formula.name): string {
  const { epss: _, ...exploit } = evidence.exploit;
  const text = JSON.stringify({ ...evidence, exploit }, inStoredOrder);
  return `${text.slice(0, -1)},"score":${machineVerdict(evidence, name).score}}`;
}

/** Orders keys as PostgreSQL's jsonb gives them back: by length, then by bytes. So new evidence compares with stored one. */
function inStoredOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1)));
}

/**
 * The part of the evidence that no formula decides, as a text to compare: facts of the world, and what was seen in the code.
 * Two formulas may give the same facts another class and another score.
 */
export function factsSignature({ versions, usage, exploit, exposure }: StoredEvidence): string {
  const { severity, cvss, attackVector, kev } = exploit;
  const { sites, siteCount, paths, chain = [] } = usage;
  const places = sites.map(({ file, line, column, symbols }) => [file, line, column, symbols]);
  const facts = [severity, cvss?.vector, attackVector, kev?.dateAdded, exposure];
  const steps = chain.map(({ purl, file, line }) => [purl, file, line]);
  return JSON.stringify([versions, places, siteCount, paths, steps, facts]);
}
