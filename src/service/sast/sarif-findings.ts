import { numberedIdentities } from '../findings/identity.js';
import { clip, onOneLine, webAddress } from '../findings/plain-words.js';
import type { ReportedFinding } from '../findings/scan.js';
import { toolName } from '../findings/tool-name.js';
import type { CodeDetails } from './code-finding.js';
import { isProductionPath } from './production-path.js';
import { readResult, readSarif, type SarifResult, type SarifRule, type SarifRun } from './sarif.js';
import { identityParts, type Placed } from './sarif-identity.js';
import { pathFinder } from './sarif-path.js';
import { cwesOf, ruleFinder } from './sarif-rules.js';
import { codeSeverity, codeTiers, type Kind, type Level } from './severity.js';

/** Characters kept of what tools write. */
const limits = { rule: 500, title: 200, message: 2_000, argument: 500 } as const;

export interface CodeScan {
  /** Tools that say to have run to their end. */
  readonly tools: readonly string[];
  readonly findings: readonly ReportedFinding[];
  readonly startedAt: Date | null;
}

/** What a SARIF document found, and by which tools. */
export function readCodeScan(document: unknown): CodeScan {
  const runs = readSarif(document);
  const entries = runs.flatMap(entriesOf).sort(byPlace);
  const identities = numberedIdentities(entries, (entry) => [entry.tool, ...identityParts(entry)]);
  const failed = new Set(runs.filter(hasFailed).map(toolOf));
  return {
    tools: [...new Set(runs.map(toolOf))].filter((tool) => !failed.has(tool)),
    findings: entries.map((entry, at) => findingOf(entry, identities[at] ?? Buffer.alloc(0))),
    startedAt: startOf(runs),
  };
}

/**
 * The tool, with what its analysis was of where it says so (3.17.3: the id without its last part, which tells one run
 * from the next): CodeQL uploads one report a language, and each must leave the other's findings alone.
 */
function toolOf({ tool, automationDetails }: SarifRun): string {
  const id = automationDetails?.id ?? '';
  const category = id.slice(0, Math.max(0, id.lastIndexOf('/')));
  return toolName(category === '' ? tool.driver.name : `${tool.driver.name} (${category})`);
}

function hasFailed({ invocations }: SarifRun): boolean {
  return (invocations ?? []).some(({ executionSuccessful }) => executionSuccessful === false);
}

interface Entry extends Placed {
  readonly tool: string;
  readonly rule: SarifRule | null;
  readonly kind: Kind;
  readonly line: number | null;
  readonly column: number;
}

/** Results that tell of something; a rule that passed, or did not apply, is no finding. */
function entriesOf(run: SarifRun, runAt: number): Entry[] {
  const [tool, findRule, findPath] = [toolOf(run), ruleFinder(run), pathFinder(run)];
  return (run.results ?? []).flatMap((value, at) => {
    const result = readResult(value, `runs.${runAt}.results.${at}`);
    const kind = result.kind ?? 'fail';
    if (kind === 'pass' || kind === 'notApplicable') return [];
    const { id, rule } = findRule(result);
    const { artifactLocation, region } = result.locations?.[0]?.physicalLocation ?? {};
    const startLine = region?.startLine ?? 0;
    return {
      tool,
      result,
      rule,
      kind,
      ruleId: clip(id, limits.rule),
      path: findPath(artifactLocation),
      line: startLine > 0 ? startLine : null,
      column: region?.startColumn ?? 0,
      message: messageOf(run, result, rule),
    };
  });
}

/** The order in the file, so that like findings keep their ordinals when a tool reports them in another order. */
function byPlace(a: Entry, b: Entry): number {
  return (a.line ?? 0) - (b.line ?? 0) || a.column - b.column;
}

/** A message in words, or by the id of one of the tool's texts with its arguments (3.11). */
function messageOf({ tool }: SarifRun, { message }: SarifResult, rule: SarifRule | null): string {
  const text =
    message.text ?? textOf(rule?.messageStrings, message.id) ?? textOf(tool.driver.globalMessageStrings, message.id);
  const told = text ?? rule?.fullDescription?.text ?? rule?.shortDescription?.text ?? '';
  const filled = clip(told, limits.message).replace(/\{(\d{1,3})\}/g, (whole, at) => {
    const given = message.arguments?.[Number(at)];
    return given === undefined ? whole : clip(given, limits.argument);
  });
  return clip(filled.trim(), limits.message);
}

function textOf(texts: SarifRule['messageStrings'], id: string | null | undefined): string | null | undefined {
  return texts !== null && texts !== undefined && id !== null && id !== undefined && Object.hasOwn(texts, id)
    ? texts[id]?.text
    : undefined;
}

function findingOf(
  { tool, result, rule, kind, ruleId, path, line, message }: Entry,
  identity: Buffer,
): ReportedFinding {
  const level: Level = result.level ?? rule?.defaultConfiguration?.level ?? 'warning';
  const severity = codeSeverity(kind, securitySeverity(result, rule), level);
  const details: CodeDetails = {
    message,
    file: path,
    line,
    cwes: cwesOf(result, rule),
    help_url: webAddress(rule?.helpUri),
    in_production: isProductionPath(path),
  };
  return {
    tool,
    identity,
    ruleId,
    title: titleOf(rule, message) ?? ruleId,
    severity,
    tier: codeTiers[severity],
    suppressed: isSuppressed(result),
    cve: null,
    epss: null,
    kevAdded: null,
    details: { ...details },
  };
}

function titleOf(rule: SarifRule | null, message: string): string | undefined {
  const told = [rule?.shortDescription?.text, rule?.name, rule?.fullDescription?.text, message];
  return told.map((text) => onOneLine(text ?? '', limits.title)).find((text) => text !== '');
}

/** GitHub's property, a number written as text: of the result, else of the rule. Anything else than 0 to 10 is none. */
function securitySeverity({ properties }: SarifResult, rule: SarifRule | null): number | null {
  for (const given of [properties?.['security-severity'], rule?.properties?.['security-severity']]) {
    const score = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
    if (typeof score === 'number' && score >= 0 && score <= 10) return score;
  }
  return null;
}

/** A suppression that is under review or was rejected suppresses nothing (3.35.3). */
function isSuppressed({ suppressions }: SarifResult): boolean {
  const all = suppressions ?? [];
  return all.length > 0 && all.every(({ status, state }) => (status ?? state ?? 'accepted') === 'accepted');
}

/** When the first of the runs began. */
function startOf(runs: readonly SarifRun[]): Date | null {
  const times = runs
    .flatMap(({ invocations }) => invocations ?? [])
    .map(({ startTimeUtc }) => Date.parse(startTimeUtc ?? ''))
    .filter((time) => time > 0);
  return times.length === 0 ? null : new Date(Math.min(...times));
}
