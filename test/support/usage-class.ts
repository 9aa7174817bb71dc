import type { WireDependency } from '../../src/reach/analysis/site-evidence.js';
import { type ClassifiedUsage, classifyUsage } from '../../src/verdict/usage.js';

/** The class of a reported package as the service computes it, where an advisory names no function. */
export function usageClassOf(dependency: WireDependency, reportComplete: boolean): ClassifiedUsage {
  const { usage, scope, confidence = null, gaps = null } = dependency;
  const noSymbols = { known: false, referenced: [], excluded: false };
  return classifyUsage({ usage, scope, confidence, gaps }, noSymbols, reportComplete);
}
