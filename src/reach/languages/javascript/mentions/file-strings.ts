import { jsoncToJson } from '../../../../shared/json/jsonc.js';

/** A string in a file, with the offset of its first character after the quote. */
export interface PlacedString {
  readonly text: string;
  readonly offset: number;
  /** The innermost field of an object that the string stands in, in source; empty where there is none. */
  readonly field?: string;
  /** Whatever the string names is loaded with the file. */
  readonly loads?: true;
}

/**
 * Text between quotes, or from a quote to a backslash or the end of the line, without spaces. In a text that cannot be
 * parsed, nothing shows which quotes open a string, and strings may contain strings (`eval("require(\"a\")")`).
 */
export const quoted = /["'`]([^"'`\\\s]{1,300})(?=["'`\\\r\n]|$)/g;

/** All possible strings of a text that cannot be parsed. */
export function quotedStrings(text: string): PlacedString[] {
  return Array.from(text.matchAll(quoted), ({ index, 1: string = '' }) => ({ text: string, offset: index + 1 }));
}

/** A string of a JSON text: a value, or the name of a field. */
export interface JsonString extends PlacedString {
  /** The field at the top level that contains it. */
  readonly section: string;
  /** The field whose value or name it is. */
  readonly field: string;
}

const jsonToken = /"((?:[^"\\\n]|\\.)*)"(\s*:)?|[{}[\]]/g;

/** All strings of a JSON text, even of one that is broken. */
export function jsonStrings(text: string): readonly JsonString[] {
  const found: JsonString[] = [];
  let depth = 0;
  let section = '';
  let field = '';
  for (const match of jsoncToJson(text).matchAll(jsonToken)) {
    const [whole, string, colon] = match;
    if (string === undefined) depth += whole === '{' || whole === '[' ? 1 : -1;
    else {
      if (colon !== undefined) field = string;
      if (colon !== undefined && depth === 1) section = string;
      found.push({ text: string, offset: match.index + 1, section, field });
    }
  }
  return found;
}

const styleComment = /\/\*[\s\S]*?\*\/|(?<![:\w])\/\/[^\n]*/g;
const styleDirective = /@(?:import|plugin|use|forward|config|reference|source|require)\b[^;{}\n]*/g;
/** Directives that put what they name into the style sheet, or run it while that is made. */
const loadingDirective = /^@(?:import|plugin|use|forward|reference)\b/;
const styleSource = /\bcomposes\s*:[^;}]*\bfrom\s+["'][^"'\n]+["']|url\(\s*["']?~?[^"')]+["']?\s*\)/g;
const styleString = /(["'])((?:(?!\1)[^\\\n])*)\1|url\(\s*([^"')\s]+)\s*\)/g;

/** The strings by which a style sheet loads other files: of `@import`, `@plugin` and the like, and of `url(...)`. */
export function styleStrings(text: string): readonly PlacedString[] {
  const withoutComments = text.replace(styleComment, (found) => found.replace(/[^\n]/g, ' '));
  return [styleDirective, styleSource].flatMap((pattern) =>
    Array.from(withoutComments.matchAll(pattern)).flatMap((match) =>
      Array.from(match[0].matchAll(styleString)).map((string) => {
        const found = string[2] ?? string[3] ?? '';
        const offset = match.index + string.index + string[0].indexOf(found);
        return { text: found, offset, ...(loadingDirective.test(match[0]) && { loads: true }) };
      }),
    ),
  );
}

/** What a page or a template loads by a path: `src` and `href`, targets of an import map, files of `node_modules`. */
export function loadedPaths(text: string): PlacedString[] {
  const installed = text.matchAll(/node_modules\/[^"'\s)>]+/g);
  const attributes = text.matchAll(
    /["'](?!node_modules\/)[^"'\s<>]{0,300}\.(?:[cm]?js|css)(?:[?#][^"'\s<>]{0,200})?(?=["'])/g,
  );
  return [
    ...Array.from(installed, ({ 0: path, index }) => ({ text: path, offset: index })),
    ...Array.from(attributes, ({ 0: path, index }) => ({ text: path.slice(1), offset: index + 1 })).filter(
      (path) => !path.text.includes('node_modules/'),
    ),
  ];
}

/** The lines of a text, without comments that begin with `#`. */
export function linesWithoutComments(text: string): PlacedString[] {
  let offset = 0;
  return text.split('\n').map((line) => {
    const start = offset;
    offset += line.length + 1;
    return { text: line.replace(/(^|\s)#.*$/, '$1'), offset: start };
  });
}
