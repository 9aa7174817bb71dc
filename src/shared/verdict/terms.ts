/** The words of verdicts: the API's schemas, the formula and `reach` take their lists from here. */

/** Bands of a verdict, from most to least urgent. */
export const verdictBands = [
  'known_exploited',
  'likely_exploitable',
  'needs_review',
  'likely_not_exploitable',
] as const;

/** How a project uses a package, from most to least. */
export const usageClasses = ['called', 'imported', 'transitive_only', 'dev_only', 'not_used'] as const;

/** How a usage report (`reach/1`) says that a dependency is used, from most to least; see `verdict/usage.ts`. */
export const reportedUsages = [
  'reached',
  'imported',
  'mentioned',
  'type_only',
  'tooling',
  'transitive',
  'unused',
] as const;

/** What a person may decide instead of the machine (specification, section 2). */
export const overrideVerdicts = ['NotExploitable', 'Exploitable'] as const;

/** From where the project can be reached, as its team declares it. */
export const exposures = ['internet', 'internal', 'isolated', 'unknown'] as const;
