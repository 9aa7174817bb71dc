import type { Role } from '../../language-reader.js';
import { fileNameOf } from '../../tree-path.js';
import { wordSet } from '../../word-set.js';
import { scriptBlocks } from '../parse/script-blocks.js';
import { commandsOf, runsProgram } from '../project/commands.js';
import { containerFile, startCommands } from '../project/containers.js';
import { type SourceKind, sourceKindOf } from '../source-kinds.js';
import {
  installedPaths,
  type JsonString,
  jsonStrings,
  linesWithoutComments,
  type PlacedString,
  styleStrings,
} from './file-strings.js';
import { page, styleSheet } from './file-types.js';
import type { NameSearch } from './package-names.js';
import { packagesOfProgram } from './program-packages.js';
import { stringLiterals } from './string-literals.js';

/** A package that a text names outside of imports. */
export interface Mention {
  readonly packageName: string;
  readonly subpath: string | null;
  readonly offset: number;
  readonly role: Role;
}

/** Finds the packages that a file mentions, by the kind of the file. */
export function mentionsInText(
  path: string,
  text: string,
  search: NameSearch,
  names: ReadonlyMap<string, string>,
  role: Role,
): readonly Mention[] {
  const kind = sourceKindOf(path);
  if (kind !== null) return kind.lang === 'dts' ? [] : inStrings(scriptStrings(text, kind, search), search, role);
  const name = fileNameOf(path);
  const configRole = role === 'prod' ? 'config' : role;
  if (name === 'package.json') return inManifest(text, search, names);
  if (containerFile.test(name)) return inCommands(startCommands(text), search, names, 'prod');
  if (search.offsetsIn(text).length === 0 && !text.includes('"types"')) return [];
  if (styleSheet.test(name)) return inStrings(styleStrings(text), search, role);
  if (page.test(name)) return inStrings(installedPaths(text), search, role);
  if (/\.(?:json5?|jsonc)$/.test(name) || text.trimStart().startsWith('{'))
    return inConfiguration(jsonStrings(text), search, names, configRole);
  return inStrings(linesWithoutComments(text), search, configRole);
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
    search.packagesIn(string.text).map((found) => ({ ...found, offset: string.offset + found.offset, role })),
  );
}

/** Finds names in strings, and packages of `@types` that the `types` of a tsconfig.json name without this scope. */
function inConfiguration(
  strings: readonly JsonString[],
  search: NameSearch,
  names: ReadonlyMap<string, string>,
  role: Role,
): Mention[] {
  const types = strings.flatMap(({ text, offset, field }) => {
    const packageName = field === 'types' ? names.get(`@types/${text}`) : undefined;
    return packageName === undefined ? [] : [{ packageName, subpath: null, offset, role }];
  });
  return [...inStrings(strings, search, role), ...types];
}

/** Sections of package.json that list packages or describe the project. */
const ignoredSections = wordSet(
  'name version description keywords author contributors maintainers license licenses repository',
  'homepage bugs funding files engines os cpu dependencies devDependencies optionalDependencies',
  'peerDependencies peerDependenciesMeta dependenciesMeta bundledDependencies bundleDependencies',
  'overrides resolutions trustedDependencies packageManager publishConfig volta workspaces comments',
  'comment // pnpm scripts private type main bin',
);

function inManifest(text: string, search: NameSearch, names: ReadonlyMap<string, string>): Mention[] {
  const strings = jsonStrings(text);
  const settings = strings.filter(({ section }) => !ignoredSections.has(section));
  const scripts = strings.filter(({ section, text: value, field }) => section === 'scripts' && value !== field);
  return [
    ...inConfiguration(settings, search, names, 'config'),
    ...scripts.flatMap((script) => inCommands([script], search, names, runsProgram(script.field) ? 'prod' : 'script')),
  ];
}

/** Programs whose arguments are names of scripts in package.json. */
const scriptRunner = /^(?:npm|yarn|pnpm|bun|npm-run-all|run-s|run-p)$/;

function inCommands(
  lines: readonly PlacedString[],
  search: NameSearch,
  names: ReadonlyMap<string, string>,
  role: Role,
): Mention[] {
  return lines.flatMap(({ text, offset }) =>
    commandsOf(text).flatMap(({ wrappers, program, words }) => {
      const programs = [program, ...wrappers].flatMap(packagesOfProgram).flatMap((name) => names.get(name) ?? []);
      const named = scriptRunner.test(program) ? [] : words.flatMap((word) => packagesInArgument(word, search));
      return [...new Set([...programs, ...named])].map((packageName) => ({ packageName, subpath: null, offset, role }));
    }),
  );
}

/** `dotenv/config` of `-r dotenv/config`, `--import=tsx`, `node_modules/grunt-cli/bin/grunt` */
function packagesInArgument(argument: string, search: NameSearch): string[] {
  return search.packagesIn(argument.replace(/^--?[\w-]+=/, '')).map(({ packageName }) => packageName);
}
