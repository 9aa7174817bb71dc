import { head } from '../../../shared/text/cut.js';
import { vulnerabilityIdsIn } from '../../../shared/vulnerability-id.js';
import { cweOf } from '../cwe.js';
import type { SarifResult, SarifRule, SarifRun } from './log.js';

type Component = NonNullable<SarifRun['tool']['extensions'][number]>;

/** The rule's id of a result that names none. */
const unnamedRule = 'unspecified';

export interface FoundRule {
  readonly id: string;
  /** The report's description of the rule; null where it has none. */
  readonly rule: SarifRule | null;
}

/** Finds the rule of a result by index or by id (SARIF 2.1.0, 3.27.5 to 3.27.7 and 3.52). */
export function ruleFinder({ tool }: SarifRun): (result: SarifResult) => FoundRule {
  const components: (Component | null)[] = [tool.driver, ...tool.extensions];
  const byId = new Map<string, SarifRule>();
  for (const rule of components.flatMap((component) => component?.rules ?? [])) {
    if (typeof rule?.id === 'string' && !byId.has(rule.id)) byId.set(rule.id, rule);
  }
  return (result) => {
    const id = result.ruleId ?? result.rule?.id ?? null;
    const rule = byIndex(tool, result) ?? (id === null ? undefined : ofId(byId, id)) ?? null;
    return { id: id ?? rule?.id ?? unnamedRule, rule };
  };
}

function byIndex({ driver, extensions }: SarifRun['tool'], result: SarifResult): SarifRule | undefined {
  const index = result.ruleIndex ?? result.rule?.index ?? -1;
  const extension = result.rule?.toolComponent?.index ?? -1;
  const component = extension >= 0 ? extensions[extension] : driver;
  return component?.rules[index] ?? undefined;
}

/** `CA1000/1` is a finer name of `CA1000` (3.52.4). */
function ofId(byId: ReadonlyMap<string, SarifRule>, id: string): SarifRule | undefined {
  for (let name = id; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('/')))) {
    const rule = byId.get(name);
    if (rule !== undefined) return rule;
  }
  return undefined;
}

/** Vulnerabilities that are kept of one finding. */
const maxVulnerabilities = 20;

/**
 * The vulnerabilities that a rule's name, tags and address name. Its descriptions count only where its id is no CVE or GHSA:
 * Snyk's give the CVE of its own id, others mention further vulnerabilities.
 */
export function vulnerabilitiesOfRule(rule: SarifRule | null): string[] {
  if (rule === null) return [];
  const isVulnerability = /^(?:CVE|GHSA)-/i.test(rule.id ?? '');
  const described = isVulnerability ? [] : [rule.shortDescription?.text, rule.fullDescription?.text];
  const texts = [rule.name, rule.helpUri, ...described].map((text) => head(text ?? '', maxTextRead));
  return [...new Set([...vulnerabilitiesTagged(rule.properties), ...idsIn(texts)])].slice(0, maxVulnerabilities);
}

/** The vulnerabilities that a rule and the result's own tags name. */
export function vulnerabilitiesOf({ properties }: SarifResult, ofRule: readonly string[]): string[] {
  return [...new Set([...ofRule, ...vulnerabilitiesTagged(properties)])].slice(0, maxVulnerabilities);
}

function vulnerabilitiesTagged(properties: SarifResult['properties']): string[] {
  const tags = (properties?.tags ?? []).slice(0, maxTags);
  return idsIn(tags.filter((tag) => typeof tag === 'string').map((tag) => head(tag, maxTextRead)));
}

/** Characters of a text in which ids are searched. */
const maxTextRead = 2_000;

function idsIn(texts: readonly string[]): string[] {
  return vulnerabilityIdsIn(texts.join('\n'), maxVulnerabilities);
}

/** Tags and relations of a rule that are read. */
const maxTags = 200;

/** CWE ids of one finding. */
const maxCwes = 20;

/** CWE ids that a rule gives all its results. */
export interface RuleCwes {
  /** From its tags and its property `cwe`. */
  readonly tagged: readonly string[];
  /** From its relations to the CWE taxonomy. */
  readonly related: readonly string[];
}

export function cwesOfRule(rule: SarifRule | null): RuleCwes {
  const targets = (rule?.relationships ?? []).slice(0, maxTags).map(({ target }) => target);
  return { tagged: cwesTagged(rule?.properties ?? null), related: cwesNamed(targets) };
}

/** CWE ids from wherever tools put them: tags, a property `cwe`, taxa and relations to the CWE taxonomy. */
export function cwesOf({ properties, taxa }: SarifResult, { tagged, related }: RuleCwes): string[] {
  const cwes = [...cwesTagged(properties), ...tagged, ...cwesNamed(taxa), ...related];
  return [...new Set(cwes)].slice(0, maxCwes);
}

function cwesTagged(properties: SarifResult['properties']): string[] {
  const tags = (properties?.tags ?? []).slice(0, maxTags);
  const given = [properties?.cwe ?? []].flat().slice(0, maxTags);
  return cwesIn([...tags.filter((tag) => typeof tag === 'string' && /cwe-?\d/i.test(tag)), ...given]);
}

function cwesNamed(references: SarifResult['taxa']): string[] {
  return cwesIn(
    references.filter(({ toolComponent }) => /^cwe\b/i.test(toolComponent?.name ?? '')).map(({ id }) => id),
  );
}

function cwesIn(texts: readonly unknown[]): string[] {
  return texts.flatMap((text) => cweOf(String(text ?? '')) ?? []);
}
