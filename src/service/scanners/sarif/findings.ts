import { isRecord } from '../../../shared/json/is-record.js';
import { clip, onOneLine } from '../../../shared/text/cut.js';
import type { Filter } from '../../findings/filter.js';
import { numberedIdentities } from '../../findings/identity.js';
import type { ReportedFinding, Seer } from '../../findings/scan.js';
import { isSameSeer } from '../../findings/sightings.js';
import { type CodeDetails, type CodeScan, codeTiers, toolName } from '../code-scan.js';
import type { Intake, LeftOutKind } from '../intake.js';
import { isProductionPath } from '../production-path.js';
import { webAddress } from '../web-address.js';
import { identityParts, type Placed } from './identity.js';
import { readSarif, type SarifResult, type SarifRule, type SarifRun, sarifResult } from './log.js';
import { messageOf } from './message.js';
import { pathFinder } from './path.js';
import { cwesOf, cwesOfRule, type RuleCwes, ruleFinder, vulnerabilitiesOf, vulnerabilitiesOfRule } from './rules.js';
import { filtersOf, joinFilters } from './run-filter.js';
import { scopeOfRun } from './run-scope.js';
import { endOf, startOf } from './run-times.js';
import { type Kind, kindOf, type Level, sarifSeverity, securitySeverity } from './severity.js';

/** Characters kept of what tools write. */
const limits = { rule: 500, title: 200, message: 2_000, argument: 500 } as const;

/**
 * What a SARIF document found, and by which tools. A tool that failed, or of which a result could not be read, is not among
 * them: what is missing in its runs may still be there. Other requests are served meanwhile.
 */
export async function readCodeScan(document: unknown, intake: Intake): Promise<CodeScan> {
  const runs = readSarif(document, intake);
  const entries: Entry[] = [];
  const filters: Filter[] = [];
  const incomplete = runs.filter(hasFailed).map(seerOf);
  for (const run of runs) {
    const before = intake.skipped;
    const place = entries.length;
    await readEntries(run, entries, intake);
    filters.push(...filtersOf(run, toolOf(run), entries.slice(place)));
    if (intake.skipped > before) incomplete.push(seerOf(run));
  }
  const seers = runs.map(seerOf).filter((seer) => !incomplete.some((each) => isSameSeer(each, seer)));
  intake.requireReadable(seers.length > 0);
  entries.sort(byPlace);
  const identities = await numberedIdentities(entries);
  return {
    searched: seers.map((seer) => ({ ...seer, parts: null })),
    findings: entries.map(({ finding }, at) => ({ ...finding, identity: identities[at] ?? Buffer.alloc(0) })),
    filters: joinFilters(filters),
    startedAt: startOf(runs),
    reportedAt: endOf(runs),
  };
}

/**
 * The tool, with the category of its analysis where it names one (3.17.3: the id without its last part, which differs from
 * run to run). CodeQL uploads one report for each language, and each must leave the findings of the others as they are.
 */
function toolOf({ tool, automationDetails }: SarifRun): string {
  const id = automationDetails?.id ?? '';
  const category = id.slice(0, Math.max(0, id.lastIndexOf('/')));
  return toolName(category === '' ? tool.driver.name : `${tool.driver.name} (${category})`);
}

/** Runs of one tool in different folders of a repository are told apart. */
function seerOf(run: SarifRun): Seer {
  return { tool: toolOf(run), scope: scopeOfRun(run) };
}

function hasFailed({ invocations }: SarifRun): boolean {
  return invocations.some(({ executionSuccessful }) => String(executionSuccessful) === 'false');
}

/** A finding without its identity, and what that is made of. The result itself is not kept: there may be 64 MB of them. */
interface Entry {
  readonly parts: readonly (string | null)[];
  readonly line: number;
  readonly column: number;
  readonly finding: Omit<ReportedFinding, 'identity'>;
}

/** Results of rules that passed or did not apply, and those that only an earlier scan had (3.27.9, 3.27.24). */
function leftOutKindOf(result: unknown): LeftOutKind | null {
  if (!isRecord(result)) return null;
  const kind = kindOf(result['kind']);
  if (kind === 'pass' || kind === 'notApplicable') return 'passed';
  return result['baselineState'] === 'absent' ? 'other' : null;
}

/** Adds the results that are findings. */
async function readEntries(run: SarifRun, entries: Entry[], intake: Intake): Promise<void> {
  const [seer, findRule, findPath, readRule] = [seerOf(run), ruleFinder(run), pathFinder(run), ruleReader()];
  for await (const result of intake.rows(sarifResult, run.results, ['runs', run.at, 'results'], leftOutKindOf)) {
    const { kind } = result;
    const { id, rule } = findRule(result);
    const { artifactLocation, region } = result.locations[0]?.physicalLocation ?? {};
    const startLine = region?.startLine ?? 0;
    const placed: Placed = {
      result,
      ruleId: clip(id, limits.rule),
      path: findPath(artifactLocation),
      message: messageOf(run, result, rule),
    };
    entries.push({
      parts: [seer.tool, ...identityParts(placed)],
      line: startLine > 0 ? startLine : 0,
      column: region?.startColumn ?? 0,
      finding: findingOf(placed, { seer, kind, rule, facts: readRule(rule), line: startLine > 0 ? startLine : null }),
    });
  }
}

/** The order in the file. Equal findings then keep their ordinals when a tool reports them in another order. */
function byPlace(a: Entry, b: Entry): number {
  return a.line - b.line || a.column - b.column;
}

interface Circumstances {
  readonly seer: Seer;
  readonly kind: Kind;
  readonly rule: SarifRule | null;
  readonly facts: RuleFacts;
  readonly line: number | null;
}

function findingOf(
  { result, ruleId, path, message }: Placed,
  { seer, kind, rule, facts, line }: Circumstances,
): Entry['finding'] {
  const level: Level = result.level ?? rule?.defaultConfiguration?.level ?? 'warning';
  const scores = [result, rule].map((each) => each?.properties?.['security-severity']);
  const severity = sarifSeverity(kind, securitySeverity(...scores), level);
  const named = vulnerabilitiesOf(result, facts.vulnerabilities);
  const details: CodeDetails = {
    message,
    file: path,
    line,
    cwes: cwesOf(result, facts.cwes),
    help_url: facts.helpUrl,
    in_production: isProductionPath(path),
    ...(named.length > 0 && { vulnerabilities: named }),
  };
  return {
    tool: seer.tool,
    seer,
    rule_id: ruleId,
    title: facts.title ?? (onOneLine(message, limits.title) || ruleId),
    severity,
    tier: codeTiers[severity],
    suppressed: isSuppressed(result),
    cve: null,
    epss: null,
    kev_added: null,
    details: { ...details },
  };
}

/** What a rule says of all its results. */
interface RuleFacts {
  readonly title: string | undefined;
  readonly helpUrl: string | null;
  readonly cwes: RuleCwes;
  readonly vulnerabilities: readonly string[];
}

/** Reads each rule once. */
function ruleReader(): (rule: SarifRule | null) => RuleFacts {
  const read = new Map<SarifRule | null, RuleFacts>();
  return (rule) => {
    const known = read.get(rule);
    if (known !== undefined) return known;
    const facts = {
      title: titleOf(rule),
      helpUrl: webAddress(rule?.helpUri),
      cwes: cwesOfRule(rule),
      vulnerabilities: vulnerabilitiesOfRule(rule),
    };
    read.set(rule, facts);
    return facts;
  };
}

function titleOf(rule: SarifRule | null): string | undefined {
  const texts = [rule?.shortDescription?.text, rule?.name, rule?.fullDescription?.text];
  return texts.map((text) => onOneLine(text ?? '', limits.title)).find((text) => text !== '');
}

/** A suppression that is under review or was rejected suppresses nothing (3.35.3). */
function isSuppressed({ suppressions }: SarifResult): boolean {
  const all = suppressions ?? [];
  return all.length > 0 && all.every(({ status, state }) => (status ?? state ?? 'accepted') === 'accepted');
}
