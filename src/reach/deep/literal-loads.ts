/** A specifier and its place, in UTF-16 code units from the start of the text. */
export interface LiteralLoad {
  readonly specifier: string;
  readonly offset: number;
}

/**
 * A call of `require`, or of a function with such a name: `__require("a")` of bundlers, `optionalRequire('a')`. It also
 * finds calls that the parser takes for another function, such as the `require` that a UMD wrapper is called with.
 */
const requireCall =
  /[rR]equire[\w$]{0,40}(\s{0,20}\.\s{0,20}resolve)?\s{0,20}\(\s{0,200}(?:(["'`])([^"'`\\\n]{1,300})\2)?/g;

/** `import 'a'`, `import b from 'a'`, `export * from 'a'`. */
const staticImport = /(?<![\w$.])(?:import|from)\s{0,20}(["'])([^"'\\\n]{1,300})\1/g;

/** `import('a')`, also with the comments that bundlers read. */
const dynamicImport =
  /(?<![\w$.])import\s{0,20}\(\s{0,200}(?:\/\*[^*]{0,300}\*\/\s{0,200}){0,4}(?:(["'`])([^"'`$\\\n]{1,300})\1\s{0,200}[,)])?/g;

/** A file of the package by its place: `join(__dirname, 'lib', 'worker.js')`, `__dirname + '/a.js'`, `${__dirname}/a.js`. */
const placedFile =
  /(?:__dirname|import\.meta\.dirname)(?:\s{0,20}[,+]\s{0,20}((?:(["'`])[^"'`\\\n]{1,200}\2[\s,]{0,20}){1,6})|\}(\/[^"'`$\\\n]{1,200}))/g;

/** A file that a worker runs, or that is named by its place: `new URL('./worker.js', import.meta.url)`. */
const placedUrl = /new\s{1,20}(?:URL|Worker|SharedWorker)\s{0,20}\(\s{0,20}(["'`])(\.{1,2}\/[^"'`$\\\n]{1,200})\1/g;

/** A string that may name a file of the package: of a worker, or of a list of what is loaded later. */
const relativeString = /(["'`])(\.\.?\/[^"'`$\\\n]{1,200})\1/g;

/** All loads of a script whose specifier is a literal; also some that a string or a comment only shows. */
export function literalLoads(text: string): { readonly loads: LiteralLoad[]; readonly computed: boolean } {
  const { loads, computed } = requiresIn(text);
  let isComputed = computed || createsOtherRequire(text);
  const addAll = (pattern: RegExp, toSpecifier: (match: RegExpExecArray) => string | undefined) => {
    for (const match of text.matchAll(pattern)) {
      if (isInComment(text, match.index)) continue;
      const specifier = toSpecifier(match);
      if (specifier === undefined) isComputed = true;
      else loads.push({ specifier: copyOf(specifier), offset: match.index });
    }
  };
  if (text.includes('import') || text.includes('export')) {
    addAll(staticImport, (match) => match[2]);
    addAll(dynamicImport, (match) => match[2]);
  }
  if (text.includes('dirname')) addAll(placedFile, placeOf);
  if (text.includes('new')) addAll(placedUrl, (match) => match[2]);
  return { loads, computed: isComputed };
}

function placeOf([, parts, , rest = '']: RegExpExecArray): string {
  const path = parts === undefined ? rest : parts.replace(/["'`][\s,]*(?:["'`]|$)/g, '/').replace(/^["'`]/, '');
  return `./${path.replace(/\/+$/, '')}`;
}

function requiresIn(text: string): { readonly loads: LiteralLoad[]; readonly computed: boolean } {
  const loads: LiteralLoad[] = [];
  let computed = false;
  for (const match of text.includes('equire') ? text.matchAll(requireCall) : []) {
    const [whole, , , specifier] = match;
    if (isInComment(text, match.index)) continue;
    if (specifier !== undefined) loads.push({ specifier: copyOf(specifier), offset: match.index });
    const end = match.index + whole.length;
    const isAddedTo = () =>
      text
        .slice(end, end + 20)
        .trimStart()
        .startsWith('+');
    if (specifier === undefined ? isRequireItself(text, match.index, whole) : isAddedTo()) computed = true;
  }
  return { loads, computed };
}

/** `require(` or `module.require(`, and neither `x.require(`, `require()` nor the declaration of a function. */
function isRequireItself(text: string, at: number, call: string): boolean {
  if (!/^require\s*(?:\.\s*resolve\s*)?\(/.test(call)) return false;
  const before = text.slice(Math.max(0, at - 20), at);
  if (/[\w$]$/.test(before) || /\bfunction\s+$/.test(before)) return false;
  if (before.endsWith('.') && !/\bmodule\.$/.test(before)) return false;
  return text[at + call.length] !== ')';
}

/** Whether `createRequire` makes a function whose name does not show it, so that its calls need the syntax tree. */
function createsOtherRequire(text: string): boolean {
  const calls = text.includes('createRequire') ? text.matchAll(/\bcreateRequire\w{0,20}\s{0,5}\(/g) : [];
  return Array.from(calls).some(({ index }) => {
    const before = text.slice(Math.max(0, index - 80), index);
    return !/[rR]equire[\w$]*\s*=\s*(?:\/\*[^*]*\*\/\s*)?(?:[\w$]+\.)?$/.test(before);
  });
}

/** Characters before a place that are looked at: a line of a comment is short, a line of a bundle may have a million. */
const maxLineStart = 200;

/** Whether a place is in a line that begins as one of a comment, or in a documentation comment that began in its line. */
function isInComment(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - maxLineStart), at);
  const lineEnd = before.lastIndexOf('\n');
  if (lineEnd !== -1 && /^\s*(?:\*|\/\/)/.test(before.slice(lineEnd + 1))) return true;
  return before.lastIndexOf('/** ') > before.lastIndexOf('*/');
}

/** Specifiers of files near a file that stand in its strings. */
export function pathsIn(text: string): readonly LiteralLoad[] {
  return Array.from(text.matchAll(relativeString)).flatMap(({ index, 2: specifier = '' }) =>
    isInComment(text, index) ? [] : { specifier: copyOf(specifier), offset: index },
  );
}

/** Characters of a specifier that a string may hold. */
const maxSpecifierLength = 300;

/** The specifiers of these packages that stand in a string of a text: `"a"`, `'a/sub.js'`. */
export function specifiersIn(text: string, names: Iterable<string>): readonly LiteralLoad[] {
  const found: LiteralLoad[] = [];
  for (const name of names) {
    for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length)) {
      const quote = text[at - 1];
      if (quote !== '"' && quote !== "'" && quote !== '`') continue;
      const rest = text.slice(at, at + maxSpecifierLength);
      const end = rest.indexOf(quote);
      const specifier = end === -1 ? '' : rest.slice(0, end);
      const isNamed = specifier === name || specifier.startsWith(`${name}/`);
      if (isNamed && !isInComment(text, at)) found.push({ specifier: copyOf(specifier), offset: at });
    }
  }
  return found;
}

/** A part of a text keeps all of the text in memory; a copy does not. */
function copyOf(part: string): string {
  return Buffer.from(part).toString();
}
