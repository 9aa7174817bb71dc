import type { AlertResolution, OverrideVerdict, Usage } from '../shared/vulnerability-terms.js';

/** CycloneDX 1.6 `vulnerability.analysis`. */
interface CycloneDxAnalysis {
  readonly state: 'not_affected' | 'exploitable' | 'in_triage' | 'resolved' | 'false_positive';
  readonly justification?: 'code_not_present' | 'code_not_reachable' | 'requires_environment';
  readonly response?: readonly ['update'];
  readonly detail?: string;
}

type OpenVexStatus = 'not_affected' | 'affected' | 'under_investigation' | 'fixed';

export interface VexInput {
  /** Null where the alert is not resolved. */
  readonly resolution: AlertResolution | null;
  readonly override: { readonly verdict: OverrideVerdict; readonly reason: string } | null;
  /** Null where the project has no usage report. */
  readonly usage: Usage | null;
}

export interface VexState {
  readonly cycloneDx: CycloneDxAnalysis;
  readonly openVex: OpenVexStatus;
}

/**
 * Why a resolved alert was none in the first place: nothing was fixed. CycloneDX calls it `false_positive`, "falsely identified
 * or associated" (1.6, `impactAnalysisState`). OpenVEX (0.2.0, "Status Labels") has `not_affected`, and no justification for
 * it, but an impact statement is enough.
 */
const mistakes = {
  advisory_withdrawn: 'The advisory has been withdrawn.',
  no_longer_affected: 'The advisory has been corrected: the installed version is not affected.',
} as const;

/** Only a person's override says `not_affected`: a machine verdict is an estimate, so it is under investigation. */
export function vexState({ resolution, override, usage }: VexInput): VexState {
  if (resolution === 'advisory_withdrawn' || resolution === 'no_longer_affected') {
    return { cycloneDx: { state: 'false_positive', detail: mistakes[resolution] }, openVex: 'not_affected' };
  }
  if (resolution !== null) return { cycloneDx: { state: 'resolved' }, openVex: 'fixed' };
  switch (override?.verdict) {
    case undefined:
      return { cycloneDx: { state: 'in_triage' }, openVex: 'under_investigation' };
    case 'Exploitable':
      return {
        cycloneDx: { state: 'exploitable', response: ['update'], detail: override?.reason ?? '' },
        openVex: 'affected',
      };
    case 'NotExploitable':
      return {
        cycloneDx: { state: 'not_affected', justification: justificationOf(usage), detail: override?.reason ?? '' },
        openVex: 'not_affected',
      };
  }
}

/**
 * The reason that the usage evidence supports. That code is not reachable is said only of classes that need a complete search.
 * Everywhere else only the environment can be the reason.
 */
function justificationOf(usage: Usage | null): 'code_not_reachable' | 'requires_environment' {
  switch (usage) {
    case 'not_used':
    case 'dev_only':
    case 'not_loaded':
      return 'code_not_reachable';
    case 'called':
    case 'imported':
    case 'loaded':
    case 'transitive_only':
    case 'not_analyzed':
    case null:
      return 'requires_environment';
  }
}
