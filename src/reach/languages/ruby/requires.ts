import { gemsIn } from '../../lockfiles/gemfile.js';
import type { FileGap, ParsedFile, Reference } from '../language.js';
import { endOfLine, Mask, matchAt } from '../mask.js';
import { alternatives, either } from '../patterns.js';
import { type PlaceOf, positionsIn } from '../positions.js';
import { isTemplate, rubyInTemplate } from './templates.js';

const heredocStart = /<<[~-]?(["'`]?)([A-Z_][A-Za-z_0-9]*)\1/g;
const beforePattern = /(?:^|[=(,[!|&?:;{}~]|\b(?:if|unless|and|or|not|when|return|elsif|while|until|match))[ \t]*$/;
const brackets: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' };

/**
 * Code alone, line by line: comments, strings, patterns and here-documents are blank. Of another string that spans lines
 * only the first line is blank. So a quote that is taken for a string by mistake costs one line.
 */
function maskRuby(text: string): string {
  const mask = new Mask(text);
  let waiting: { readonly name: string }[] = [];
  let inComment = false;
  for (let start = 0; start < text.length; ) {
    const end = endOfLine(text, start);
    const line = text.slice(start, end);
    const [here] = waiting;
    if (line === '__END__') {
      mask.blankLines(start, text.length);
      break;
    }
    if (here !== undefined) {
      if (line.trim() === here.name) waiting = waiting.slice(1);
      mask.blankLines(start, end);
    } else if (inComment || line.startsWith('=begin')) {
      inComment = !line.startsWith('=end');
      mask.blankLines(start, end);
    } else waiting = maskLine(line, start, mask);
    start = end + 1;
  }
  return mask.finish();
}

/** Characters before a slash that decide whether it begins a pattern. */
const lookBehind = 40;

/** Characters; longer lines are generated. */
const maxLineLength = 20_000;

/** Blanks everything but code in one line, and answers which here-documents follow it. */
function maskLine(line: string, start: number, mask: Mask): { readonly name: string }[] {
  if (line.length > maxLineLength) {
    mask.blankLines(start, start + line.length);
    return [];
  }
  const strings: (readonly [from: number, to: number])[] = [];
  let comment = line.length;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '#') {
      comment = at;
      break;
    }
    const end = endOfString(line, at);
    if (end !== -1) {
      strings.push([at, end]);
      at = end - 1;
    }
  }
  const documents = [...line.slice(0, comment).matchAll(heredocStart)]
    .filter(({ index }) => !strings.some(([from, to]) => from <= index && index < to))
    .map(({ 2: name = '' }) => ({ name }));
  for (const [from, to] of strings) mask.blankLines(start + from, start + to);
  mask.blankLines(start + comment, start + line.length);
  return documents;
}

/** The index behind a string or a pattern that begins here, -1 where none does or the line does not end it. */
function endOfString(line: string, at: number): number {
  const char = line[at] ?? '';
  if (char === '"' || char === "'" || char === '`') return endInLine(line, at + 1, char);
  if (char !== '/' && char !== '%') return -1;
  if (!beforePattern.test(line.slice(Math.max(0, at - lookBehind), at))) return -1;
  if (char === '/') return endInLine(line, at + 1, '/');
  if (!/^%[qQwWiIrx]?[^\w\s=]/.test(line.slice(at, at + 3))) return -1;
  const open = /\w/.test(line[at + 1] ?? '') ? at + 2 : at + 1;
  return endInLine(line, open + 1, brackets[line[open] ?? ''] ?? line[open] ?? '');
}

/** The index behind the closing character, -1 where the line has none. */
function endInLine(line: string, from: number, close: string): number {
  for (let at = from; at < line.length; at++) {
    if (line[at] === '\\') at++;
    else if (line[at] === close) return at + 1;
  }
  return -1;
}

/**
 * A file of Ruby. Targets are `require:path`, `relative:path`, `gem:name`, `unloaded:name`, `named:name` and `constant:Name::Of`.
 */
export interface ParsedRuby extends ParsedFile {
  /** `Bundler.require` loads every gem of the Gemfile. */
  readonly loadsBundle: boolean;
  /** Gems by the paths that a Gemfile says to require for them. */
  readonly gemsByPath: ReadonlyMap<string, string>;
}

const requireCall = /(?<![\w.:@$])(require|require_relative|load|autoload)\b(?![ \t]*[=.]|:(?!:))/g;
const literal = /[ \t]*\(?[ \t]*(?::\w+[ \t]*,[ \t]*)?(["'])([^"'#\n]+)\1/y;
const constant = /(?<![\w:.@$])(?:::)?([A-Z]\w*(?:::[A-Z]\w*)*)/g;
const starts =
  /(?:^|\/)(?:config\.ru|config\/(?:application|environment|puma|unicorn)\.rb|(?:bin|exe)\/[^/]+|app\.rb|main\.rb|server\.rb)$/;

/** A library that a setting names by a symbol: `queue_adapter = :sidekiq`, `cache_store, :redis_cache_store`. */
const settings = alternatives(
  'adapter store compressor processor engine backend service storage driver delivery_method logger',
);
const namedBySymbol = new RegExp(`\\b\\w*(?:${settings})\\b[ \\t]*(?:=>?|,|\\(|:|\\s)[ \\t]*:(\\w+)`, 'g');
/** `provider :github` of OmniAuth, `config.omniauth :github` of Devise. */
const strategy = /\b(?:provider|omniauth)\b[ \t(]*:(\w+)/g;

/** Paths of the project: `File.join(…)`, `Rails.root.join(…)`, `__dir__`, `"#{__dir__}/x"`, `"./x"`. */
const ownPath = either(
  '',
  /^[ \t]*\(?[ \t]*["'](?:#\{(?:__dir__|__FILE__|Rails\.root|File\.|[A-Z_]*ROOT)|\.{1,2}\/)/,
  /^[ \t]*\(?[ \t]*(?:File\.|Rails\.root|Pathname|__dir__|[A-Z_]*(?:ROOT|PATH|DIR)\b)/,
);
/** A path that a listing of folders gives. */
const listing = /\bDir(?:\[|\.(?:glob|each_child|children|entries)\b)|\.glob\b/;

/** The gem whose program a binstub starts, as Bundler writes them. */
const binstub = /\bGem\.(?:activate_)?bin_path\(["']([\w.-]+)["']/;
/** The beginning of a path with fields: `faraday/` of `"faraday/#{name}"`. */
const beginning = /^[ \t]*\(?[ \t]*"([\w/-]+)#\{/;

/**
 * Parses one file of Ruby, a template or a Gemfile.
 *
 * @param gemsStartingWith the gems that a path with such a beginning can be of
 */
export function parseRuby(
  path: string,
  text: string,
  gemsStartingWith: (beginning: string) => readonly string[],
): ParsedRuby {
  const placeOf = positionsIn(text);
  if (/(?:^|\/)(?:Gemfile|gems\.rb)$/.test(path)) return parseGemfile(text);
  const program = /(?:^|\/)s?bin\/[^/]+$/.test(path) ? binstub.exec(text)?.[1] : undefined;
  if (program !== undefined) return parseBinstub(program);
  const code = maskRuby(isTemplate(path) ? rubyInTemplate(path, text) : text);
  const { references, computed } = requiresIn(path, text, code, placeOf);
  const gaps = computed.flatMap(({ line, detail, beginning, isOwn }): FileGap[] => {
    const hides = isOwn ? [] : beginning === undefined ? 'any' : gemsStartingWith(beginning);
    return hides.length === 0 ? [] : [{ kind: 'unknown_dynamic', line, detail, hides }];
  });
  const mention = (target: string, index: number, symbols: readonly string[] = []) =>
    references.push({ target, ...placeOf(index), kind: 'mention', symbols });
  const names = new Map<string, number>();
  for (const { 1: name = '', index } of code.matchAll(constant)) if (!names.has(name)) names.set(name, index);
  for (const [name, index] of names) mention(`constant:${name}`, index, [name]);
  for (const { 1: name = '', index } of code.matchAll(namedBySymbol)) mention(`named:${name}`, index);
  for (const { 1: name = '', index } of code.matchAll(strategy)) mention(`named:omniauth-${name}`, index);
  const entry = starts.test(path) ? 'started by its name' : null;
  const loadsBundle = /\bBundler\.require\b/.test(code);
  const unknownDynamic = computed.length;
  return { references, unknownDynamic, gaps, isBroken: false, entry, loadsBundle, gemsByPath: noGems };
}

/** A call that requires a path which only a run can say. */
interface ComputedRequire {
  readonly line: number;
  readonly detail: string;
  /** The beginning of the path, where the text shows it. */
  readonly beginning: string | undefined;
  /** It is a path of the project. */
  readonly isOwn: boolean;
}

/** The names in calls of `require`, `load` and `autoload`. */
function requiresIn(path: string, text: string, code: string, placeOf: PlaceOf) {
  const references: Reference[] = [];
  const computed: ComputedRequire[] = [];
  // Many classes have a method of that name.
  const definesLoad = /\bdef[ \t]+(?:self\.)?load\b/.test(code);
  // A task may run in production, by a timer or at each release: what it requires by name may be needed there.
  const role = /(?:^|\/)lib\/tasks\/.*\.rake$/.test(path) ? ({ role: 'prod' } as const) : {};
  for (const { 1: keyword = '', index } of code.matchAll(requireCall)) {
    const behind = index + keyword.length;
    const found = matchAt(literal, text, behind)?.[2];
    if (found !== undefined) {
      const target = `${keyword === 'require_relative' ? 'relative' : 'require'}:${found}`;
      const kind = keyword === 'autoload' ? 'dynamic' : 'require';
      references.push({ target, ...placeOf(index), kind, ...role });
      continue;
    }
    const argument = text.slice(behind, behind + maxArgument).split('\n', 1)[0] ?? '';
    // Without an argument it is a method of that name (`def require`) and no call.
    const isCall =
      /^[ \t]*[("'A-Za-z_@]/.test(argument) && !/\bdef[ \t]+$/.test(code.slice(Math.max(0, index - 8), index));
    if (!isCall || (keyword === 'load' && definesLoad)) continue;
    const before = text.slice(Math.max(0, index - lookBehindListing), index);
    computed.push({
      line: placeOf(index).line,
      detail: `${keyword}${argument}`.trim(),
      beginning: beginning.exec(argument)?.[1],
      isOwn: ownPath.test(argument) || listing.test(before),
    });
  }
  return { references, computed };
}

/** Characters of an argument, and before a call, that show what is required. */
const maxArgument = 160;
const lookBehindListing = 240;

const noGems: ReadonlyMap<string, string> = new Map();

/** A binstub is no code of the project. It shows that people run the gem's program, in development mostly. */
function parseBinstub(gem: string): ParsedRuby {
  const reference = { target: `unloaded:${gem}`, line: 1, column: 1, kind: 'mention', role: 'script' } as const;
  return { references: [reference], isBroken: false, entry: null, loadsBundle: false, gemsByPath: noGems };
}

function parseGemfile(text: string): ParsedRuby {
  const gems = gemsIn(text);
  const references = gems.map(
    ({ name, line, scope, loaded }): Reference => ({
      target: `${loaded ? 'gem' : 'unloaded'}:${name}`,
      line,
      column: 1,
      // A gem that Bundler does not load may be loaded by its name later, as those of storage services are.
      kind: loaded ? 'require' : 'mention',
      role: scope === 'development' ? 'test' : 'prod',
    }),
  );
  const gemsByPath = new Map(gems.flatMap(({ name, paths }) => paths.map((path) => [path, name] as const)));
  return { references, isBroken: false, entry: null, loadsBundle: false, gemsByPath };
}
