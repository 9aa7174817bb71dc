import { yieldToEventLoop } from '../../../shared/async/yield-to-event-loop.js';
import { clip, onOneLine } from '../../../shared/text/clip.js';
import { numberedIdentities } from '../../findings/identity.js';
import { webAddress } from '../../findings/plain-words.js';
import type { ReportedFinding } from '../../findings/scan.js';
import { toolName } from '../../findings/tool-name.js';
import type { CodeDetails } from '../../sast/code-finding.js';
import { isProductionPath } from '../production-path.js';
import { identityParts, type Placed } from './identity.js';
import { readResult, readSarif, type SarifResult, type SarifRule, type SarifRun } from './log.js';
import { pathFinder } from './path.js';
import { cwesOf, cwesOfRule, type RuleCwes, ruleFinder } from './rules.js';
import { codeSeverity, codeTiers, type Kind, type Level } from './severity.js';

/** Characters kept of what tools write. */
const limits = { rule: 500, title: 200, message: 2_000, argument: 500 } as const;

export interface CodeScan {
  /** Tools that say to have run to their end. */
  readonly tools: readonly string[];
  readonly findings: readonly ReportedFinding[];
  readonly startedAt: Date | null;
}

/** What a SARIF document found, and by which tools. Other requests have their turn meanwhile. */
export async function readCodeScan(document: unknown): Promise<CodeScan> {
  const runs = readSarif(document);
  const entries: Entry[] = [];
  for (const [at, run] of runs.entries()) await readEntries(run, at, entries);
  entries.sort(byPlace);
  const identities = await numberedIdentities(entries);
  const failed = new Set(runs.filter(hasFailed).map(toolOf));
  return {
    tools: [...new Set(runs.map(toolOf))].filter((tool) => !failed.has(tool)),
    findings: entries.map(({ finding }, at) => ({ ...finding, identity: identities[at] ?? Buffer.alloc(0) })),
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

/** A finding without its identity, and what that is made of. The result itself is let go: there may be 64 MB of them. */
interface Entry {
  readonly parts: readonly (string | null)[];
  readonly line: number;
  readonly column: number;
  readonly finding: Omit<ReportedFinding, 'identity'>;
}

/** Adds the results that tell of something; a rule that passed, or did not apply, is no finding. */
async function readEntries(run: SarifRun, runAt: number, entries: Entry[]): Promise<void> {
  const yieldNow = yieldToEventLoop();
  const [tool, findRule, findPath, readRule] = [toolOf(run), ruleFinder(run), pathFinder(run), ruleReader()];
  for (const [at, value] of (run.results ?? []).entries()) {
    await yieldNow();
    const result = readResult(value, `runs.${runAt}.results.${at}`);
    const kind = result.kind ?? 'fail';
    if (kind === 'pass' || kind === 'notApplicable') continue;
    const { id, rule } = findRule(result);
    const { artifactLocation, region } = result.locations?.[0]?.physicalLocation ?? {};
    const startLine = region?.startLine ?? 0;
    const placed: Placed = {
      result,
      ruleId: clip(id, limits.rule),
      path: findPath(artifactLocation),
      message: messageOf(run, result, rule),
    };
    entries.push({
      parts: [tool, ...identityParts(placed)],
      line: startLine > 0 ? startLine : 0,
      column: region?.startColumn ?? 0,
      finding: findingOf(placed, { tool, kind, rule, told: readRule(rule), line: startLine > 0 ? startLine : null }),
    });
  }
}

/** The order in the file, so that like findings keep their ordinals when a tool reports them in another order. */
function byPlace(a: Entry, b: Entry): number {
  return a.line - b.line || a.column - b.column;
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

interface Circumstances {
  readonly tool: string;
  readonly kind: Kind;
  readonly rule: SarifRule | null;
  readonly told: ToldByRule;
  readonly line: number | null;
}

function findingOf(
  { result, ruleId, path, message }: Placed,
  { tool, kind, rule, told, line }: Circumstances,
): Entry['finding'] {
  const level: Level = result.level ?? rule?.defaultConfiguration?.level ?? 'warning';
  const severity = codeSeverity(kind, securitySeverity(result, rule), level);
  const details: CodeDetails = {
    message,
    file: path,
    line,
    cwes: cwesOf(result, told.cwes),
    help_url: told.helpUrl,
    in_production: isProductionPath(path),
  };
  return {
    tool,
    ruleId,
    title: told.title ?? (onOneLine(message, limits.title) || ruleId),
    severity,
    tier: codeTiers[severity],
    suppressed: isSuppressed(result),
    cve: null,
    epss: null,
    kevAdded: null,
    details: { ...details },
  };
}

/** What a rule tells of all its results. */
interface ToldByRule {
  readonly title: string | undefined;
  readonly helpUrl: string | null;
  readonly cwes: RuleCwes;
}

/** Reads each rule once. */
function ruleReader(): (rule: SarifRule | null) => ToldByRule {
  const read = new Map<SarifRule | null, ToldByRule>();
  return (rule) => {
    const known = read.get(rule);
    if (known !== undefined) return known;
    const told = { title: titleOf(rule), helpUrl: webAddress(rule?.helpUri), cwes: cwesOfRule(rule) };
    read.set(rule, told);
    return told;
  };
}

function titleOf(rule: SarifRule | null): string | undefined {
  const told = [rule?.shortDescription?.text, rule?.name, rule?.fullDescription?.text];
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
