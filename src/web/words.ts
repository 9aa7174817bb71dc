import type {
  AlertResolution,
  AttackVector,
  Confidence,
  Exposure,
  FindingSeverity,
  OverrideVerdict,
  Scope,
  SymbolCase,
  Tier,
  Usage,
  VerdictBand,
} from '../shared/vulnerability-terms.js';

/** The dashboard's words for closed vocabularies. The bands' are the specification's (section 2, display bands). */

export type Band = VerdictBand | 'unanalyzed';

export const bandWords: Readonly<Record<Band, string>> = {
  known_exploited: 'Known exploited',
  likely_exploitable: 'Likely exploitable',
  needs_review: 'Needs review',
  likely_not_exploitable: 'Likely not exploitable',
  unanalyzed: 'Unanalyzed',
};

export const bandMeanings: Readonly<Record<Band, string>> = {
  known_exploited: 'The CVE is in the catalogue of known exploited vulnerabilities.',
  likely_exploitable: 'EffectivePriority falls in the highest band.',
  needs_review: 'EffectivePriority falls in the middle band.',
  likely_not_exploitable: 'EffectivePriority falls in the lowest band.',
  unanalyzed: 'No usage report has been uploaded for the project yet.',
};

export const tierWords: Readonly<Record<Tier, string>> = { RED: 'Red', YELLOW: 'Yellow', GREEN: 'Green' };

export const usageWords: Readonly<Record<Usage, string>> = {
  called: 'called',
  imported: 'imported',
  loaded: 'loaded',
  transitive_only: 'transitive only',
  not_analyzed: 'not analyzed',
  not_loaded: 'not loaded',
  dev_only: 'development only',
  not_used: 'not used',
};

export const usageMeanings: Readonly<Record<Usage, string>> = {
  called: 'Production code that an entry point reaches imports the package, or references its vulnerable functions.',
  imported: 'Production code imports the package; no entry point is known to reach it.',
  loaded: 'Installed dependencies or a recorded run load the package.',
  transitive_only: 'Another package that production uses brings it in, or may.',
  not_analyzed: 'No source of its ecosystem was read.',
  not_loaded: 'Installed dependencies were followed from every entry point, and none loads it.',
  dev_only: 'Only tests, configuration, scripts or development dependencies lead to it.',
  not_used: 'The search covered the source and found no use.',
};

export const exposureWords: Readonly<Record<Exposure, string>> = {
  internet: 'internet',
  internal: 'internal',
  isolated: 'isolated',
  unknown: 'not declared',
};

/** What each exposure means, for who declares it. EffectivePriority is weighed by it. */
export const exposureMeanings: Readonly<Record<Exposure, string>> = {
  internet: 'Anyone on the internet can send it something: a website, a public API.',
  internal: 'Only people and systems of your own network can reach it.',
  isolated: 'Nothing outside can reach it: build tools, batch jobs, a machine without a network.',
  unknown: 'Nobody has said yet. Verdicts then assume almost as much as for the internet.',
};

export const attackVectorWords: Readonly<Record<AttackVector, string>> = {
  N: 'over the network',
  A: 'from an adjacent network',
  L: 'with local access',
  P: 'with physical access',
};

export const severityWords: Readonly<Record<FindingSeverity | 'moderate' | 'unknown', string>> = {
  critical: 'Critical',
  high: 'High',
  moderate: 'Moderate',
  medium: 'Medium',
  low: 'Low',
  info: 'Info',
  unknown: 'Unknown',
};

export const confidenceWords: Readonly<Record<Confidence, string>> = {
  high: 'high confidence',
  medium: 'medium confidence',
  low: 'low confidence',
};

export const symbolWords: Readonly<Record<SymbolCase, string>> = {
  none_known: 'the advisories name no vulnerable function',
  referenced: 'a vulnerable function is referenced',
  excluded: 'no vulnerable function is referenced',
  not_excluded: 'no reference to a vulnerable function was seen, but one is not excluded',
};

export const scopeWords: Readonly<Record<Scope, string>> = {
  runtime: 'runtime',
  development: 'development',
  optional: 'optional',
};

export const resolutionWords: Readonly<Record<AlertResolution, string>> = {
  package_removed: 'package removed',
  upgraded: 'upgraded',
  advisory_withdrawn: 'advisory withdrawn',
  no_longer_affected: 'no longer affected',
};

export const findingStateWords = { open: 'open', fixed: 'fixed', suppressed: 'accepted in the report' } as const;

export const layerWords = { base_image: 'base image', own: 'own layers', unknown: 'unknown' } as const;

export const layerMeanings = {
  base_image: 'The package came with the layers of the base image: a newer base may fix it.',
  own: 'The package came with layers that the image adds to its base.',
  unknown: 'The report does not say which layer the package came with, or the base image is not known.',
} as const;

export const scanModeWords = { baseline: 'baseline', full: 'full', api: 'API' } as const;

export const jobStateWords = { queued: 'queued', running: 'running', done: 'done', failed: 'failed' } as const;

export const uploadPhaseWords = {
  waiting: 'waiting for a place',
  reading: 'reading the file',
  checking: 'checking its rows',
  writing: 'writing what changed',
} as const;

export const uploadWords: Readonly<Record<string, string>> = {
  'sast.uploadReport': 'SARIF report',
  'dast.uploadReport': 'ZAP report',
  'containers.uploadReport': 'Image scan',
  'techStack.uploadSbom': 'SBOM',
  'techStack.sync': 'Lock file',
  'reachability.uploadUsageReport': 'Usage report',
  'vex.upload': 'VEX document',
};

export const overrideWords: Readonly<Record<OverrideVerdict, string>> = {
  NotExploitable: 'Not exploitable',
  Exploitable: 'Exploitable',
};

export const domainWords = {
  dependencies: 'Dependencies',
  code: 'Code',
  running_app: 'Running app',
  containers: 'Images',
} as const;
export type Domain = keyof typeof domainWords;

/** Reasons of a part that has no answer, for a reader. */
export const unavailableWords = {
  timeout: 'did not answer in time',
  unavailable: 'cannot be reached',
  upstream_error: 'failed to answer',
  plan_required: 'needs a Business or Enterprise subscription',
  forbidden: 'is not allowed for you',
  rate_limited: 'was asked too often',
} as const;

/** Roles from the one that may most, as a person has them and with what they allow. */
export const roleWords = {
  admin: {
    name: 'Admin',
    who: 'an admin',
    meaning: 'Also deletes projects, makes API keys and groups, and invites, changes and removes people.',
  },
  member: { name: 'Member', who: 'a member', meaning: 'Also creates and changes projects, uploads and sets webhooks.' },
  triager: {
    name: 'Triager',
    who: 'a triager',
    meaning: 'Also acknowledges alerts, overrides verdicts and decides on VEX.',
  },
  viewer: { name: 'Viewer', who: 'a viewer', meaning: 'Reads everything, and changes nothing.' },
  none: { name: 'None', who: 'with roles in groups alone', meaning: 'Sees only projects of the groups below.' },
} as const;

export const proofWords = {
  issuer: 'by the company’s sign-in',
  domain: 'by its domain',
  mail: 'by a mail',
  operator: 'by the operator',
} as const;
