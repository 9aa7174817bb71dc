import { createHash } from 'node:crypto';
import { printPurl } from '../../shared/packages/purl.js';
import type { WireDependency, WireReport } from '../analysis/site-evidence.js';
import { chainText, type WireChain } from './chain-text.js';
import type { Band, Verdict } from './verdicts.js';

type Dependencies = ReadonlyMap<string, WireDependency>;

/** The level of a result (SARIF 2.1.0, 3.27.10) for each band. What is not known is to be looked at. */
const levels: Readonly<Record<Band, 'error' | 'warning' | 'note'>> = {
  known_exploited: 'error',
  likely_exploitable: 'error',
  needs_review: 'warning',
  likely_not_exploitable: 'note',
  unanalyzed: 'warning',
};

/**
 * Verdicts as a SARIF 2.1.0 log. Each is one result, at the places that import the package; where no file names the package,
 * at the lock file. A chain of files that loads the package is a code flow. An override to `NotExploitable`
 * suppresses the result, with its reason.
 */
export function sarifLog(report: WireReport, verdicts: readonly Verdict[], version: string) {
  const dependencies = new Map(report.dependencies.map((dependency) => [dependency.purl, dependency]));
  const rules = [...new Map(verdicts.map((verdict) => [ruleId(verdict), verdict])).values()];
  const ruleIndex = new Map(rules.map((verdict, index) => [ruleId(verdict), index]));
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'reach', version, rules: rules.map(toRule) } },
        columnKind: 'utf16CodeUnits',
        results: verdicts.map((verdict) => ({
          ...toResult(verdict, ruleIndex.get(ruleId(verdict)) ?? 0, report),
          ...codeFlowsOf(verdict, dependencies),
        })),
      },
    ],
  };
}

/** The CVE, or the advisory's own id where it has none. */
export function ruleId({ cve, advisory_ids }: Pick<Verdict, 'cve' | 'advisory_ids'>): string {
  return cve ?? advisory_ids[0] ?? 'unknown';
}

function toRule(verdict: Verdict) {
  const { cvss } = verdict.evidence.exploit;
  return {
    id: ruleId(verdict),
    shortDescription: { text: `${ruleId(verdict)} in ${verdict.package.name}` },
    properties: {
      advisory_ids: verdict.advisory_ids,
      // GitHub's code scanning sorts by it.
      ...(cvss !== null && { 'security-severity': cvss.score.toFixed(1) }),
    },
  };
}

function toResult(verdict: Verdict, ruleIndex: number, report: WireReport) {
  const { evidence, override, band, effective_priority } = verdict;
  const { usage } = evidence;
  return {
    ruleId: ruleId(verdict),
    ruleIndex,
    level: levelOf(verdict),
    rank: effective_priority,
    message: messageOf(verdict.reasoning),
    locations: usage.sites.length === 0 ? lockfileLocations(report) : usage.sites.map(toLocation),
    partialFingerprints: {
      'postern/v1': createHash('sha256')
        .update(`${ruleId(verdict)} ${verdict.package.purl}`)
        .digest('hex'),
    },
    ...(override?.verdict === 'NotExploitable' && {
      suppressions: [{ kind: 'external', status: 'accepted', justification: override.reason }],
    }),
    properties: {
      band,
      effective_priority,
      known_exploited: evidence.exploit.kev !== null,
      package: verdict.package.purl,
      versions: verdict.versions,
      usage: usage.class,
      confidence: usage.confidence,
      paths: usage.paths,
    },
  };
}

/** A low score that rests on what was not excluded must not reassure; what a member decided may. */
function levelOf({ band, evidence, override }: Verdict): (typeof levels)[Band] {
  const level = levels[band];
  return level === 'note' && override === null && evidence.usage.confidence === 'low' ? 'warning' : level;
}

/** SARIF 2.1.0, 3.36: the steps from an entry point to the package; one flow for each version that a chain leads to. */
function codeFlowsOf({ package: { ecosystem, name }, versions }: Verdict, dependencies: Dependencies) {
  const chains = versions.flatMap((version) => {
    const chain = dependencies.get(printPurl({ ecosystem, name, version }))?.chain ?? [];
    return chain.length > 1 ? [chain] : [];
  });
  if (chains.length === 0) return {};
  return {
    codeFlows: chains.map((chain) => ({
      message: messageOf(chainText(chain)),
      threadFlows: [{ locations: chain.map((link) => ({ location: stepLocation(link) })) }],
    })),
  };
}

/** Brackets of names and paths would be links in a message (SARIF 2.1.0, 3.11.6). */
function messageOf(text: string) {
  return { text: text.replace(/[[\]\\]/g, '\\$&') };
}

/** A file of a package lies nowhere in the repository, so it has a name and no place. */
function stepLocation({ purl, file, line }: WireChain[number]) {
  if (purl === null) return toLocation({ file, line: line ?? 1, column: 1 });
  return {
    logicalLocations: [{ name: file, fullyQualifiedName: `${purl}#${file}`, kind: 'module' }],
    message: messageOf(`${purl} ${file}${line === null ? '' : `:${line}`}`),
  };
}

function lockfileLocations({ lockfiles }: WireReport) {
  return lockfiles.slice(0, 1).map(({ path }) => toLocation({ file: path, line: 1, column: 1 }));
}

function toLocation({ file, line, column }: { readonly file: string; readonly line: number; readonly column: number }) {
  return {
    physicalLocation: {
      artifactLocation: { uri: file.split('/').map(encodeURIComponent).join('/'), uriBaseId: '%SRCROOT%' },
      region: { startLine: line, startColumn: column },
    },
  };
}
