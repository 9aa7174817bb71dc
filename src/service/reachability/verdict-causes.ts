import { isDeepStrictEqual } from 'node:util';
import type { VerdictCause } from '../../procedures/alert-details.js';
import type { StoredEvidence } from '../../verdict/evidence.js';
import type { FormulaName } from '../../verdict/formula.js';

/** What a verdict was computed from. */
interface Basis {
  readonly evidence: StoredEvidence;
  readonly formula: FormulaName;
}

/** The parts of the evidence that differ, whichever of them has moved the verdict to another band. */
export function verdictCauses(before: Basis, after: Basis): VerdictCause[] {
  const [was, is] = [before.evidence, after.evidence];
  const differs: Readonly<Record<VerdictCause, boolean>> = {
    usage: was.usage.usage !== is.usage.usage,
    kev: (was.exploit.kev === null) !== (is.exploit.kev === null),
    epss: was.exploit.epss?.probability !== is.exploit.epss?.probability,
    cvss:
      was.exploit.severity !== is.exploit.severity ||
      was.exploit.attackVector !== is.exploit.attackVector ||
      was.exploit.cvss?.score !== is.exploit.cvss?.score,
    exposure: was.exposure !== is.exposure,
    versions: !isDeepStrictEqual(was.versions, is.versions),
    formula: before.formula !== after.formula,
  };
  const causes: readonly VerdictCause[] = ['usage', 'kev', 'epss', 'cvss', 'exposure', 'versions', 'formula'];
  return causes.filter((cause) => differs[cause]);
}
