import type { OverrideVerdict, Usage } from '../shared/vulnerability-terms.js';

/** CycloneDX 1.6 `vulnerability.analysis`. */
interface CycloneDxAnalysis {
  readonly state: 'not_affected' | 'exploitable' | 'in_triage' | 'resolved';
  readonly justification?: 'code_not_present' | 'code_not_reachable' | 'requires_environment';
  readonly response?: readonly ['update'];
  readonly detail?: string;
}

type OpenVexStatus = 'not_affected' | 'affected' | 'under_investigation' | 'fixed';

export interface VexInput {
  readonly resolved: boolean;
  readonly override: { readonly verdict: OverrideVerdict; readonly reason: string } | null;
  /** Null where the project has no usage report. */
  readonly usage: Usage | null;
}

export interface VexState {
  readonly cycloneDx: CycloneDxAnalysis;
  readonly openVex: OpenVexStatus;
}

/** Only a person's override says `not_affected`: a machine verdict is an estimate, so it is under investigation. */
export function vexState({ resolved, override, usage }: VexInput): VexState {
  if (resolved) return { cycloneDx: { state: 'resolved' }, openVex: 'fixed' };
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

/** The reason that the usage evidence supports. Where the package is used, only the environment can be the reason. */
function justificationOf(usage: Usage | null): 'code_not_reachable' | 'requires_environment' {
  return usage === 'not_used' || usage === 'dev_only' || usage === 'transitive_only'
    ? 'code_not_reachable'
    : 'requires_environment';
}
