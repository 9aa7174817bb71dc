import { bandOf, type VerdictBand } from './band.js';
import type { StoredEvidence } from './evidence.js';
import { effectivePriority, type Priority, type PriorityInputs } from './formula.js';

/** What the formula takes from the evidence: whoever holds a verdict can compute its score again. */
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

/** The machine's verdict on the evidence. The same evidence gives the same verdict, bit for bit. */
export function machineVerdict(evidence: StoredEvidence): Priority & { readonly band: VerdictBand } {
  const priority = effectivePriority(priorityInputs(evidence));
  return { ...priority, band: bandOf(priority.score, evidence.exploit.kev !== null) };
}

/**
 * What of the evidence a person rules on, as text to compare: all of it, but for the day and the digits of EPSS that move
 * daily without moving the score by a tenth. Otherwise every override would be told as overtaken the day after.
 */
export function evidenceSignature(evidence: StoredEvidence): string {
  const { epss: _, ...exploit } = evidence.exploit;
  return JSON.stringify({ ...evidence, exploit, score: machineVerdict(evidence).score });
}
