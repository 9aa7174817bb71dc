import { setsOf } from '../../../knowledge/knowledge.js';
import type { Role } from '../../language-reader.js';
import { fileNameOf } from '../../tree-path.js';
import { scriptBlocks } from '../parse/script-blocks.js';
import { buildCommands, containerFile, startCommands } from '../project/containers.js';
import { mayBeScript, type SourceKind, sourceKindOf } from '../source-kinds.js';
import {
  type JsonString,
  jsonStrings,
  linesWithoutComments,
  loadedPaths,
  type PlacedString,
  quotedStrings,
  styleStrings,
} from './file-strings.js';
import { styleSheet } from './file-types.js';
import { loadedBy, loadingFields } from './framework-settings.js';
import type { Mention } from './mention.js';
import { inCommands, roleOfScript } from './mentions-in-commands.js';
import type { NameSearch } from './package-names.js';
import { type Family, shorthandWord } from './shorthand-names.js';
import { stringLiterals } from './string-literals.js';
import { isCheckingSection } from './tool-settings.js';

/** Finds the packages that a file mentions, by the kind of the file. */
export function mentionsInText(path: string, text: string, search: NameSearch, role: Role): readonly Mention[] {
  const icons = search.iconsIn(text);
  return [
    ...namedInText(path, text, search, role),
    ...icons.map(({ text: packageName, offset }) => ({ packageName, subpath: null, offset, role })),
  ];
}

function namedInText(path: string, text: string, search: NameSearch, role: Role): readonly Mention[] {
  const name = fileNameOf(path);
  const families = search.shortNames(name);
  const inSource = mentionsInSource(path, text, search, role);
  if (inSource !== null) return [...inSource, ...inShorthand(path, text, families, role)];
  if (name === 'package.json') return inManifest(text, search);
  if (containerFile.test(name)) {
    return [...inCommands(startCommands(text), search, 'prod'), ...inCommands(buildCommands(text), search, 'script')];
  }
  const configRole = role === 'prod' ? 'config' : role;
  const shorthand = inShorthand(path, text, families, configRole);
  if (search.offsetsIn(text).length === 0 && !text.includes('"types"')) return shorthand;
  if (styleSheet.test(name)) return inStrings(styleStrings(text), search, role);
  if (compilerConfiguration.test(name)) return inCompilerOptions(jsonStrings(text), search, configRole);
  const isJson = /\.(?:json5?|jsonc)$/.test(name) || text.trimStart().startsWith('{');
  const named = isJson
    ? inConfiguration(jsonStrings(text), search, configRole)
    : inStrings(linesWithoutComments(text), search, configRole);
  return [...named, ...shorthand];
}

/** Finds names in a source file, a page or a shell script; null for other files. */
function mentionsInSource(path: string, text: string, search: NameSearch, role: Role): readonly Mention[] | null {
  if (isShellScript(path, text)) {
    const startsProgram = /start|entry|run|serve|docker|init|web|worker/i.test(fileNameOf(path));
    const scriptRole = role === 'test' || (role === 'prod' && startsProgram) ? role : 'script';
    return inCommands(linesWithoutComments(text), search, scriptRole);
  }
  const kind = sourceKindOf(path);
  if (kind === null) return null;
  if (kind.lang === 'dts' || (kind.reading === 'recognised' && !mayBeScript(text))) return [];
  const strings = scriptStrings(text, kind, search);
  const loading = loadingFields(fileNameOf(path));
  const placed = loading === null ? strings : strings.map((string) => loadedBy(loading, string));
  const scripts = inStrings(placed, search, role);
  if (kind.blocks === 'none') return scripts;
  const paths = kind.blocks === 'page' ? loadedPaths(text) : [];
  const styles = text.includes('<style') ? styleStrings(text) : [];
  return [...scripts, ...inStrings([...paths, ...styles], search, role)];
}

function isShellScript(path: string, text: string): boolean {
  return (
    /\.(?:sh|bash|zsh)$/.test(path) ||
    /(?:^|\/)\.husky\//.test(path) ||
    /^#!.*\b(?:ba|z|da|k)?sh\b/.test(text.slice(0, 100))
  );
}

/** Finds the short names that tools know their plugins by. */
function inShorthand(path: string, text: string, families: readonly Family[], role: Role): Mention[] {
  if (families.length === 0) return [];
  const kind = sourceKindOf(path);
  const strings =
    kind === null
      ? quotedStrings(text)
      : stringLiterals(
          text,
          kind,
          quotedStrings(text).map(({ offset }) => offset),
        );
  const bare = kind === null && /\.ya?ml$|rc$/.test(path) ? linesWithoutComments(text) : [];
  const words = [...strings, ...bare.flatMap(wordsOfLine)];
  return words.flatMap(({ text: word, offset }) =>
    families.flatMap((family) =>
      (family.get(shorthandWord(word)) ?? []).map((packageName) => ({ packageName, subpath: null, offset, role })),
    ),
  );
}

function wordsOfLine({ text, offset }: PlacedString): PlacedString[] {
  return Array.from(text.matchAll(/[^\s"',[\]{}]+/g), ({ 0: word, index }) => ({
    text: word.replace(/:$/, ''),
    offset: offset + index,
  }));
}

function scriptStrings(text: string, kind: SourceKind, search: NameSearch): PlacedString[] {
  return scriptBlocks(text, kind).flatMap((block) =>
    stringLiterals(block.text, kind, search.offsetsIn(block.text)).map((string) => ({
      ...string,
      offset: string.offset + block.offset,
    })),
  );
}

function inStrings(strings: readonly PlacedString[], search: NameSearch, role: Role): Mention[] {
  return strings.flatMap((string) =>
    search.packagesIn(string.text).map(({ packageName, subpath, offset }) => ({
      packageName,
      subpath,
      offset: string.offset + offset,
      role,
      ...(string.loads && { loadedAs: string.text }),
    })),
  );
}

/** Finds names in strings, and packages of `@types` that the `types` of a tsconfig.json name without this scope. */
function inConfiguration(strings: readonly JsonString[], search: NameSearch, role: Role): Mention[] {
  const types = strings.flatMap(({ text, offset, field }) => {
    const packageName = field === 'types' ? search.names.get(`@types/${text}`) : undefined;
    return packageName === undefined ? [] : [{ packageName, subpath: null, offset, role }];
  });
  return [...inStrings(strings, search, role), ...types];
}

const compilerConfiguration = /^[tj]sconfig(?:[.-].*)?\.json$/;

/** Settings of the compiler that name other settings, or types: nothing of either is in the code that it makes. */
const checkingOptions = new Set(['extends', 'types', 'typeRoots']);

/** The packages of a tsconfig.json (https://www.typescriptlang.org/tsconfig/). `jsxImportSource` is imported by the code. */
function inCompilerOptions(strings: readonly JsonString[], search: NameSearch, role: Role): Mention[] {
  const isChecking = ({ section, field, text }: JsonString) =>
    (section === 'extends' || section === 'compilerOptions') && checkingOptions.has(field) && !text.startsWith('.');
  const others = strings.filter((string) => !isChecking(string));
  return [...inConfiguration(strings.filter(isChecking), search, 'script'), ...inConfiguration(others, search, role)];
}

/** Sections of package.json that list packages or describe the project. */
const ignoredSections = setsOf('javascript/manifest-fields')('unsearched');

function inManifest(text: string, search: NameSearch): Mention[] {
  const strings = jsonStrings(text);
  const settings = strings.filter(({ section }) => !ignoredSections.has(section));
  const checking = settings.filter(({ section }) => isCheckingSection(section));
  const others = settings.filter(({ section }) => !isCheckingSection(section));
  const scripts = strings.filter(({ section, text: value, field }) => section === 'scripts' && value !== field);
  return [
    ...inConfiguration(checking, search, 'script'),
    ...inConfiguration(others, search, 'config'),
    ...scripts.flatMap((script) => inCommands([script], search, roleOfScript(script.field), script.field)),
  ];
}
