import type { Confidence, ReportedUsage, Scope, Usage } from '../shared/vulnerability-terms.js';

export interface ReportedDependency {
  readonly usage: ReportedUsage;
  readonly scope: Scope;
  /** Names of the package that production code references. */
  readonly symbols: readonly string[];
}

export interface ClassifiedUsage {
  readonly usage: Usage;
  readonly confidence: Confidence;
  /** The vulnerable symbols that the project references, where the advisory names any. */
  readonly vulnerableSymbols: readonly string[];
}

/**
 * The one table from a usage report to the classes of the formula. Each row is the first that fits:
 *
 * | the report says | class | confidence |
 * |---|---|---|
 * | nothing about this package | transitive_only | low: unknown is not unused |
 * | production code references a vulnerable symbol | called | high |
 * | reached | called | high |
 * | imported | imported | high |
 * | scope development, any other usage | dev_only | high |
 * | tooling or type_only | dev_only | medium |
 * | mentioned | transitive_only | low |
 * | transitive | transitive_only | high, medium if the report is incomplete |
 * | unused in a complete report | not_used | high |
 * | unused in an incomplete report | transitive_only | low: what was not read may use it |
 *
 * @param vulnerableSymbols functions that the advisory names; empty where it names none
 */
export function classifyUsage(
  dependency: ReportedDependency | null,
  vulnerableSymbols: readonly string[],
  reportComplete: boolean,
): ClassifiedUsage {
  if (dependency === null) return { usage: 'transitive_only', confidence: 'low', vulnerableSymbols: [] };
  const inProduction = dependency.usage === 'reached' || dependency.usage === 'imported';
  const referenced = inProduction ? vulnerableSymbols.filter((symbol) => isReferenced(symbol, dependency.symbols)) : [];
  const as = (usage: Usage, confidence: Confidence) => ({ usage, confidence, vulnerableSymbols: referenced });
  if (referenced.length > 0 || dependency.usage === 'reached') return as('called', 'high');
  if (dependency.usage === 'imported') return as('imported', 'high');
  if (dependency.scope === 'development') return as('dev_only', 'high');
  switch (dependency.usage) {
    case 'tooling':
    case 'type_only':
      return as('dev_only', 'medium');
    case 'mentioned':
      return as('transitive_only', 'low');
    case 'loaded':
      return as('loaded', 'high');
    case 'not_loaded':
      return as('not_loaded', 'high');
    case 'not_analyzed':
      return as('not_analyzed', 'low');
    case 'transitive':
      return as('transitive_only', reportComplete ? 'high' : 'medium');
    case 'unused':
      return reportComplete ? as('not_used', 'high') : as('transitive_only', 'low');
  }
}

/** An advisory may put the package before a symbol (`lodash.template`); a report has the exported name (`template`). */
function isReferenced(vulnerable: string, symbols: readonly string[]): boolean {
  return symbols.some((symbol) => vulnerable === symbol || vulnerable.endsWith(`.${symbol}`));
}
