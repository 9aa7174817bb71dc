import {
  type Confidence,
  confidences,
  type ReportedUsage,
  type Scope,
  type SymbolCase,
  type Usage,
  usageClasses,
} from '../shared/vulnerability-terms.js';
import type { SymbolFindings } from './vulnerable-symbols.js';

export interface ReportedDependency {
  readonly usage: ReportedUsage;
  readonly scope: Scope;
  /** Null where the report does not say. */
  readonly confidence: Confidence | null;
  /** Why a use may have been missed; none: the search was complete for this package. Null where the report does not say. */
  readonly gaps: readonly string[] | null;
}

export interface ClassifiedUsage {
  readonly usage: Usage;
  readonly confidence: Confidence;
  /** The vulnerable symbols that the project references, where the advisory names any. */
  readonly vulnerableSymbols: readonly string[];
  /** Absent in verdicts of formula ep-1, like what follows. */
  readonly symbols?: SymbolCase;
  /** What the report says; null where it does not name the package. */
  readonly reported?: ReportedUsage | null;
  /** The search could have found every use. */
  readonly searched?: boolean;
  /** Why a use may have been missed, as far as the report says it. */
  readonly gaps?: readonly string[];
}

/**
 * The one table from a usage report to the classes of the formula. Nothing lowers a class but a search that could have found
 * the use: it is complete where the package has no gaps, or where the report names none and says that it is complete.
 *
 * | the report says | class | confidence |
 * |---|---|---|
 * | nothing about this package, or not_analyzed | not_analyzed | low: unknown is not unused |
 * | reached, a vulnerable symbol is referenced or none is known | called | high |
 * | reached, no known one is referenced, by a list that would name them all, after a complete search | imported | high |
 * | reached, no known one is seen to be referenced | called | medium |
 * | imported | imported | high |
 * | loaded | loaded | high |
 * | transitive | transitive_only | high, medium if the search is not complete |
 * | mentioned | transitive_only | low |
 * | not_loaded, after a complete search | not_loaded | high |
 * | tooling or type_only, after a complete search | dev_only | medium, high if its scope is development |
 * | unused, after a complete search | not_used, dev_only if its scope is development | high |
 * | one of the last three, after any other search | transitive_only | low: what was not seen may use it |
 *
 * The report's own confidence only lowers that of the table. Where that makes it low, no class is below `transitive_only`.
 */
export function classifyUsage(
  dependency: ReportedDependency | null,
  found: SymbolFindings,
  reportComplete: boolean,
): ClassifiedUsage {
  const gaps = dependency?.gaps ?? [];
  const searched = dependency !== null && (dependency.gaps === null ? reportComplete : gaps.length === 0);
  const symbols = symbolCase(found, searched);
  const [usage, confidence] = withoutGuess(
    dependency === null ? ['not_analyzed', 'low'] : classOf(dependency, symbols, searched),
    dependency?.confidence ?? null,
  );
  const inProduction = dependency?.usage === 'reached' || dependency?.usage === 'imported';
  const vulnerableSymbols = inProduction ? found.referenced : [];
  const reported = dependency?.usage ?? null;
  return { usage, confidence, vulnerableSymbols, symbols, reported, searched, gaps };
}

type Row = readonly [usage: Usage, confidence: Confidence];

function classOf({ usage, scope }: ReportedDependency, symbols: SymbolCase, searched: boolean): Row {
  const isForDevelopment = scope === 'development';
  switch (usage) {
    case 'reached':
      return reachedClass(symbols);
    case 'imported':
      return ['imported', 'high'];
    case 'loaded':
      return ['loaded', 'high'];
    case 'mentioned':
      return ['transitive_only', 'low'];
    case 'transitive':
      return ['transitive_only', searched ? 'high' : 'medium'];
    case 'not_loaded':
      return searched ? ['not_loaded', 'high'] : notExcluded;
    case 'tooling':
    case 'type_only':
      return searched ? ['dev_only', isForDevelopment ? 'high' : 'medium'] : notExcluded;
    case 'unused':
      return searched ? [isForDevelopment ? 'dev_only' : 'not_used', 'high'] : notExcluded;
    case 'not_analyzed':
      return ['not_analyzed', 'low'];
  }
}

const notExcluded: Row = ['transitive_only', 'low'];

function reachedClass(symbols: SymbolCase): Row {
  switch (symbols) {
    case 'none_known':
    case 'referenced':
      return ['called', 'high'];
    case 'excluded':
      return ['imported', 'high'];
    case 'not_excluded':
      return ['called', 'medium'];
  }
}

/** Where the search missed something, that may be a place that references the function. */
function symbolCase({ known, referenced, excluded }: SymbolFindings, searched: boolean): SymbolCase {
  if (!known) return 'none_known';
  if (referenced.length > 0) return 'referenced';
  return excluded && searched ? 'excluded' : 'not_excluded';
}

function withoutGuess([usage, confidence]: Row, reported: Confidence | null): Row {
  const lower = reported === null ? confidence : lowerConfidence(confidence, reported);
  return lower === 'low' && isBelow(usage, 'not_analyzed') ? notExcluded : [usage, lower];
}

export function lowerConfidence(a: Confidence, b: Confidence): Confidence {
  return confidences.indexOf(a) > confidences.indexOf(b) ? a : b;
}

/** Whether a class is a weaker use than another. */
export function isBelow(usage: Usage, other: Usage): boolean {
  return usageClasses.indexOf(usage) > usageClasses.indexOf(other);
}
