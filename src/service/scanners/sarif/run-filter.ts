import type { FindingSeverity } from '../../../shared/vulnerability-terms.js';
import type { Filter } from '../../findings/filter.js';
import { levelOfSeverity } from '../../findings/level.js';
import type { SarifRule, SarifRun } from './log.js';
import { sarifSeverity, securitySeverity, severityOfWord } from './severity.js';

interface Reported {
  readonly finding: { readonly rule_id: string; readonly severity: FindingSeverity };
}

/**
 * What a run may lack because its tool was told to leave it out, where the run says so: by an option of its command line
 * (3.20.2, 3.20.3), or by a list of the rules that were run (3.19.23). Semgrep lists those of `--severity` alone. Empty where
 * it says nothing; a list of no more rules than have results says nothing. Trivy filters without a word.
 */
export function filtersOf(run: SarifRun, tool: string, reported: readonly Reported[]): Filter[] {
  const used = new Set(reported.map(({ finding }) => finding.rule_id));
  const listed = [run.tool.driver, ...run.tool.extensions].flatMap((component) => component?.rules ?? []);
  const ran = new Map(listed.flatMap((rule) => (typeof rule?.id === 'string' ? [[rule.id, rule] as const] : [])));
  const isCatalogue = [...ran.keys()].some((id) => !used.has(id));
  const named = severitiesNamed(run);
  if (named.length === 0 && !isCatalogue && !/^trivy\b/i.test(run.tool.driver.name)) return [];
  const ofRules = isCatalogue ? [...ran.values()].map(severityOf) : [];
  const severities = new Set([...reported.map(({ finding }) => finding.severity), ...named, ...ofRules]);
  const shown = [...severities].map(levelOfSeverity);
  return [{ tool, shown, ...(isCatalogue && { rules: new Set(ran.keys()) }) }];
}

/** One for each tool: of its several runs all that they show counts together. */
export function joinFilters(filters: readonly Filter[]): Filter[] {
  const joined = new Map<string, Filter>();
  for (const { tool, shown, rules } of filters) {
    const known = joined.get(tool);
    const ran = known?.rules === undefined ? rules : new Set([...known.rules, ...(rules ?? [])]);
    joined.set(tool, { tool, shown: [...(known?.shown ?? []), ...shown], ...(ran !== undefined && { rules: ran }) });
  }
  return [...joined.values()];
}

function severityOf({ properties, defaultConfiguration }: SarifRule): FindingSeverity {
  const score = securitySeverity(properties?.['security-severity']);
  return sarifSeverity('fail', score, defaultConfiguration?.level ?? 'warning');
}

/** Words of a command line that are looked at. */
const maxWords = 1_000;

/** `--severity`, `--min-severity`, `--severity-threshold` and the like. `--fail-on-severity` leaves nothing out. */
const option = /^--?(?:min(?:imum)?-?)?severity(?:-(?:level|threshold))?(?:=(.*))?$/is;

/** The severities that options ask for: a list of them, or the least one. */
function severitiesNamed({ invocations }: SarifRun): FindingSeverity[] {
  return invocations.flatMap(({ commandLine, arguments: given }) => {
    const words = (given.length > 0 ? given : (commandLine ?? '').split(/\s+/)).slice(0, maxWords);
    return words.flatMap((word, at) => {
      const found = option.exec(word);
      const value = found === null ? '' : (found[1] ?? words[at + 1] ?? '');
      return value.split(/[^a-z]+/i).flatMap((each) => severityOfWord(each) ?? []);
    });
  });
}
