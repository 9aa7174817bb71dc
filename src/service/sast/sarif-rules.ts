import { cweOf } from '../findings/plain-words.js';
import type { SarifResult, SarifRule, SarifRun } from './sarif.js';

type Component = SarifRun['tool']['driver'] | NonNullable<SarifRun['tool']['extensions']>[number];

/** What a result that names no rule is filed under. */
const unnamedRule = 'unspecified';

export interface FoundRule {
  readonly id: string;
  /** What the report tells of the rule; null where it does not describe it. */
  readonly rule: SarifRule | null;
}

/** Finds the rule of a result by index or by id (SARIF 2.1.0, 3.27.5 to 3.27.7 and 3.52). */
export function ruleFinder({ tool }: SarifRun): (result: SarifResult) => FoundRule {
  const components: Component[] = [tool.driver, ...(tool.extensions ?? [])];
  const byId = new Map<string, SarifRule>();
  for (const { rules } of components) {
    for (const rule of rules ?? []) if (typeof rule.id === 'string' && !byId.has(rule.id)) byId.set(rule.id, rule);
  }
  return (result) => {
    const given = result.ruleId ?? result.rule?.id ?? null;
    const rule = byIndex(tool, result) ?? (given === null ? undefined : ofId(byId, given)) ?? null;
    return { id: given ?? rule?.id ?? unnamedRule, rule };
  };
}

function byIndex({ driver, extensions }: SarifRun['tool'], result: SarifResult): SarifRule | undefined {
  const index = result.ruleIndex ?? result.rule?.index ?? -1;
  const extension = result.rule?.toolComponent?.index ?? -1;
  const { rules } = extension >= 0 ? (extensions?.[extension] ?? { rules: null }) : driver;
  return rules?.[index];
}

/** `CA1000/1` is a finer name of `CA1000` (3.52.4). */
function ofId(byId: ReadonlyMap<string, SarifRule>, id: string): SarifRule | undefined {
  for (let name = id; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('/')))) {
    const rule = byId.get(name);
    if (rule !== undefined) return rule;
  }
  return undefined;
}

/** Tags and relations of a rule that are looked through: all its results share them. */
const mostTags = 200;

/** Weaknesses listed at once. */
const mostCwes = 20;

/** CWE ids from wherever tools put them: tags, a property `cwe`, taxa and relations to the CWE taxonomy. */
export function cwesOf(result: SarifResult, rule: SarifRule | null): string[] {
  const tagged = [result.properties, rule?.properties].flatMap((properties) => [
    ...(properties?.tags ?? []).slice(0, mostTags).filter((tag) => typeof tag === 'string' && /cwe-?\d/i.test(tag)),
    ...[properties?.cwe ?? []].flat().slice(0, mostTags),
  ]);
  const related = [
    ...(result.taxa ?? []),
    ...(rule?.relationships ?? []).slice(0, mostTags).map(({ target }) => target),
  ]
    .filter(({ toolComponent }) => /^cwe\b/i.test(toolComponent?.name ?? ''))
    .map(({ id }) => id);
  const cwes = [...tagged, ...related].flatMap((each) => cweOf(String(each ?? '')) ?? []);
  return [...new Set(cwes)].slice(0, mostCwes);
}
