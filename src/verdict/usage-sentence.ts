import type { ImportSite, UsageEvidence } from './evidence.js';

/**
 * How a package is used, in a sentence or two: what was seen, what was searched for it, and what could not be excluded. A class
 * that says "not" names the search that it rests on.
 */
export function usageSentence(subject: string, usage: UsageEvidence, analyzer: string): string {
  switch (usage.usage) {
    case 'called':
      return calledSentence(subject, usage);
    case 'imported':
      return `${subject} is imported${places(usage)}${notCalled(usage)}.`;
    case 'loaded':
      return `${subject} is loaded when the project runs${loadedBy(usage)}.`;
    case 'transitive_only':
      return transitiveSentence(subject, usage);
    case 'not_analyzed':
      return usage.reported == null
        ? `The usage report does not name ${subject}: how it is used is not known.`
        : `How ${subject} is used was not analyzed${becauseOf(usage)}.`;
    case 'not_loaded':
      return `${subject} is brought in, but not loaded: ${analyzer} followed the installed packages from every entry point, with nothing left out${broughtInBy(usage)}.`;
    case 'dev_only':
      return `${subject} is used by development tooling or types alone${places(usage)}: production code was searched completely.`;
    case 'not_used':
      return `${subject} is not used: ${analyzer} searched production code completely, and found no import or mention of it, and nothing in use that brings it in.`;
  }
}

function calledSentence(subject: string, usage: UsageEvidence): string {
  const { symbols, vulnerableSymbols } = usage;
  const where = `code that an entry point reaches imports it${places(usage)}`;
  switch (symbols) {
    case 'referenced':
      return `${subject} is called: the vulnerable ${quoteAll(vulnerableSymbols)} is referenced${places(usage, vulnerableSymbols)}.`;
    case 'not_excluded':
      return `${subject} is in use: ${where}. No reference to a vulnerable function was seen, but it could not be excluded.`;
    default:
      return `${subject} is in use: ${where}. No advisory names the vulnerable functions.`;
  }
}

/** What keeps an import from being a call. */
function notCalled({ reported, symbols }: UsageEvidence): string {
  if (reported === 'imported') return ', by code that no known entry point reaches';
  return symbols === 'excluded'
    ? '; the complete list of what is referenced names none of the vulnerable functions'
    : '';
}

function loadedBy(usage: UsageEvidence): string {
  const chain = chainText(usage);
  return chain === '' ? ', as the analysis or a recorded run shows' : `: \`${chain}\``;
}

/** `app.ts:12 -> express -> body-parser -> qs`: the project's files, then each package once. */
function chainText({ chain = [] }: UsageEvidence): string {
  const steps = chain.map(({ purl, file, line }) => {
    if (purl !== null) return packageOf(purl);
    return line === null ? file : `${file}:${line}`;
  });
  return steps.filter((step, index) => step !== steps[index - 1]).join(' -> ');
}

/** `@scope/name` of `pkg:npm/%40scope/name@1.0.0`. */
function packageOf(purl: string): string {
  return purl
    .replace(/^pkg:[^/]+\//, '')
    .replace(/@[^@/]*$/, '')
    .replace('%40', '@');
}

function transitiveSentence(subject: string, usage: UsageEvidence): string {
  const caution = usage.confidence === 'low' ? ' (low confidence)' : '';
  switch (usage.reported) {
    case 'mentioned':
      return `${subject} is not imported, but a string, a configuration or a package in use names it, so it may be used${places(usage)}${caution}.`;
    case 'not_loaded':
    case 'tooling':
    case 'type_only':
    case 'unused':
      return `No use of ${subject} in production was found, but none could be excluded${becauseOf(usage)}${caution}.`;
    default:
      return `${subject} is not imported directly${broughtInBy(usage)}${caution}. Whether it is loaded is not known.`;
  }
}

function becauseOf({ gaps = [] }: UsageEvidence): string {
  const [first, ...others] = gaps;
  if (first === undefined) return ': the search was not complete';
  const rest = others.length === 0 ? '' : `, and ${others.length} more ${others.length === 1 ? 'reason' : 'reasons'}`;
  return `: ${first}${rest}`;
}

/** The first place, or the first that references one of the symbols; none where no place shown does. */
function places({ sites, siteCount }: UsageEvidence, symbols: readonly string[] = []): string {
  const shown = symbols.length === 0 ? sites : sites.filter((site) => references(site, symbols));
  const [first] = shown;
  if (first === undefined) return '';
  const more = symbols.length === 0 ? siteCount - 1 : shown.length - 1;
  const rest = more <= 0 ? '' : ` and ${more} more ${more === 1 ? 'place' : 'places'}`;
  return ` in \`${first.file}:${first.line}\`${rest}`;
}

function references(site: ImportSite, symbols: readonly string[]): boolean {
  return symbols.some((symbol) =>
    site.symbols.some((each) => symbol === each || symbol.endsWith(`.${each}`) || symbol.endsWith(`::${each}`)),
  );
}

function broughtInBy({ paths }: UsageEvidence): string {
  const direct = paths[0]?.[0];
  return direct === undefined ? '; how it is brought in is unknown' : `; \`${direct}\` brings it in`;
}

function quoteAll(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}
