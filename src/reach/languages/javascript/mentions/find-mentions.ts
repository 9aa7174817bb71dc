import { setImmediate as nextMacrotask } from 'node:timers/promises';
import type { PackageUse, Role, SourceTree } from '../../../analysis/language.js';
import { positionsIn } from '../../../analysis/positions.js';
import { commandsOf } from '../commands.js';
import { startLines } from '../containers.js';
import { isRunning } from '../entries.js';
import { jsonStrings } from '../json-strings.js';
import type { Manifest } from '../manifests.js';
import { scriptBlocks } from '../parse/script-blocks.js';
import { patchedName } from '../patches.js';
import { packageOf } from '../resolve/specifier.js';
import { sourceKindOf } from '../source-kinds.js';
import { styleStrings } from '../style-strings.js';
import { nameIn } from '../tree-paths.js';
import { container, isConfiguration, page, style } from './configuration-files.js';
import type { PlacedString } from './file-strings.js';
import { type Candidates, candidatesOf } from './package-names.js';
import { packagesOfProgram } from './program-packages.js';
import { stringLiterals } from './string-literals.js';

/** What the mentions are looked for beside. */
export interface MentionContext {
  readonly manifests: ReadonlyMap<string, Manifest>;
  readonly lockedNames: ReadonlySet<string>;
  readonly uses: readonly PackageUse[];
  readonly roleIn: (path: string) => Role;
  readonly reached: ReadonlySet<string>;
  /** Sources that no parser took: they are searched in another way. */
  readonly unparsed: ReadonlySet<string>;
}

/** A named package in a file, before it becomes a site. */
interface Mention {
  readonly packageName: string;
  readonly subpath: string | null;
  readonly offset: number;
  readonly role: Role;
}

/** Sites of one package: that it is mentioned is what counts. */
const maxSites = 50;
const maxConfigBytes = 256 * 1024;
const filesPerTurn = 32;

/**
 * Finds packages that no import of production names, but a string does: of production code, of configuration, a style
 * sheet, a patch, a script of package.json or a start command. Comments never count, nor do lists of dependencies.
 */
export async function findMentions(tree: SourceTree, context: MentionContext): Promise<readonly PackageUse[]> {
  const names = namesToLookFor(context);
  if (names.size === 0) return [];
  const candidates = candidatesOf(names);
  const counts = new Map<string, number>();
  const imported = new Set(context.uses.map(({ site }) => `${site.file}:${site.line}:${site.column}`));
  const uses: PackageUse[] = [];
  let read = 0;
  for (const { path, bytes } of tree.files) {
    const role = context.roleIn(path);
    const patched = patchedName(path);
    const isText =
      role !== 'test' &&
      !context.unparsed.has(path) &&
      (sourceKindOf(path) !== null || (bytes <= maxConfigBytes && isConfiguration(path, context.manifests)));
    const patchOf = patched.map((name) => names.get(name)).find((name) => name !== undefined);
    if (!isText && patchOf === undefined) continue;
    const text = isText ? tree.read(path) : null;
    const positionOf = positionsIn(text ?? '');
    const found = text === null ? [] : mentionsIn(path, text, candidates, names, role);
    const all =
      patchOf === undefined
        ? found
        : [...found, { packageName: patchOf, subpath: null, offset: 0, role: 'config' as const }];
    for (const { packageName, subpath, offset, role: siteRole } of all) {
      const place = positionOf(offset);
      const count = counts.get(packageName) ?? 0;
      // The specifier of an import begins with its quote, one before its name.
      if (count >= maxSites || imported.has(`${path}:${place.line}:${place.column - 1}`)) continue;
      counts.set(packageName, count + 1);
      uses.push({
        ecosystem: 'npm',
        packageName,
        site: {
          file: path,
          ...place,
          kind: 'mention',
          role: siteRole,
          reached: siteRole === 'prod' && context.reached.has(path),
          typeOnly: false,
          mock: false,
          subpath,
          symbols: [],
          symbolsComplete: false,
        },
      });
    }
    if (++read % filesPerTurn === 0) await nextMacrotask();
  }
  return uses;
}

/** What manifests ask for, or all that is lockedNames where there is none; less what production imports anyway. */
function namesToLookFor({ manifests, lockedNames, uses }: MentionContext): ReadonlyMap<string, string> {
  const imported = new Set(
    uses
      .filter(({ site }) => site.role === 'prod' && !site.typeOnly && !site.mock)
      .map(({ packageName }) => packageName),
  );
  const names = new Map<string, string>();
  const add = (name: string, packageName: string) => {
    if (lockedNames.has(packageName) && !imported.has(packageName)) names.set(name, packageName);
  };
  for (const { declared } of manifests.values()) {
    for (const [name, range] of declared) add(name, range.startsWith('npm:') ? (packageOf(range)?.name ?? name) : name);
  }
  if (![...manifests.values()].some(({ declared }) => declared.size > 0))
    for (const name of lockedNames) add(name, name);
  return names;
}

function mentionsIn(
  path: string,
  text: string,
  candidates: Candidates,
  names: ReadonlyMap<string, string>,
  role: Role,
): readonly Mention[] {
  const name = nameIn(path);
  const kind = sourceKindOf(path);
  const asConfig = role === 'prod' ? 'config' : role;
  if (kind?.lang === 'dts') return [];
  if (kind !== null) {
    const strings = scriptBlocks(text, kind).flatMap((block) => {
      const found = stringLiterals(block.text, kind, candidates.placesIn(block.text));
      return found.map((string) => ({ ...string, offset: string.offset + block.offset }));
    });
    return inStrings(strings, candidates, role);
  }
  if (name === 'package.json') return inManifest(text, candidates, names);
  if (container.test(name)) return inCommands(startLines(text), candidates, names, 'prod');
  if (candidates.placesIn(text).length === 0 && !text.includes('"types"')) return [];
  if (style.test(name)) return inStrings(styleStrings(text), candidates, role);
  if (page.test(name)) return inStrings(installedPaths(text), candidates, role);
  if (/\.(?:json5?|jsonc)$/.test(name) || text.trimStart().startsWith('{'))
    return inConfiguration(jsonStrings(text), candidates, names, asConfig);
  return inStrings(lines(text), candidates, asConfig);
}

function inStrings(strings: readonly PlacedString[], candidates: Candidates, role: Role): Mention[] {
  return strings.flatMap(({ text, offset }) =>
    candidates.in(text).map(({ packageName, subpath, at }) => ({ packageName, subpath, offset: offset + at, role })),
  );
}

/** `types` of a tsconfig.json may name a package of `@types` by the rest of its name. */
function inConfiguration(
  strings: ReturnType<typeof jsonStrings>,
  candidates: Candidates,
  names: ReadonlyMap<string, string>,
  role: Role,
): Mention[] {
  const types = strings.flatMap(({ text, offset, field }) => {
    const packageName = field === 'types' ? names.get(`@types/${text}`) : undefined;
    return packageName === undefined ? [] : [{ packageName, subpath: null, offset, role }];
  });
  return [...inStrings(strings, candidates, role), ...types];
}

/** Parts of package.json that list packages, or tell of the project in words. */
const noMention = new Set([
  'name',
  'version',
  'description',
  'keywords',
  'author',
  'contributors',
  'maintainers',
  'license',
  'licenses',
  'repository',
  'homepage',
  'bugs',
  'funding',
  'files',
  'engines',
  'os',
  'cpu',
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'peerDependenciesMeta',
  'dependenciesMeta',
  'bundledDependencies',
  'bundleDependencies',
  'overrides',
  'resolutions',
  'trustedDependencies',
  'packageManager',
  'publishConfig',
  'volta',
  'workspaces',
  'comments',
  'comment',
  '//',
  'pnpm',
  'scripts',
  'private',
  'type',
  'main',
  'bin',
]);

function inManifest(text: string, candidates: Candidates, names: ReadonlyMap<string, string>): Mention[] {
  const strings = jsonStrings(text);
  const configured = strings.filter(({ section }) => !noMention.has(section));
  const scripts = strings.filter(({ section, text: value, field }) => section === 'scripts' && value !== field);
  return [
    ...inConfiguration(configured, candidates, names, 'config'),
    ...scripts.flatMap((script) =>
      inCommands([script], candidates, names, isRunning(script.field) ? 'prod' : 'script'),
    ),
  ];
}

/** Runs a script of package.json: its words are names of scripts. */
const scriptRunner = /^(?:npm|yarn|pnpm|bun|npm-run-all|run-s|run-p)$/;

function inCommands(
  lines: readonly PlacedString[],
  candidates: Candidates,
  names: ReadonlyMap<string, string>,
  role: Role,
): Mention[] {
  return lines.flatMap(({ text, offset }) =>
    commandsOf(text).flatMap(({ prefixes, program, words }) => {
      const programs = [program, ...prefixes].flatMap(packagesOfProgram).flatMap((name) => names.get(name) ?? []);
      const named = scriptRunner.test(program) ? [] : words.flatMap((word) => packagesIn(word, candidates));
      return [...new Set([...programs, ...named])].map((packageName) => ({ packageName, subpath: null, offset, role }));
    }),
  );
}

/** `-r dotenv/config`, `--import=tsx`, `node_modules/grunt-cli/bin/grunt` */
function packagesIn(word: string, candidates: Candidates): string[] {
  return candidates.in(word.replace(/^--?[\w-]+=/, '')).map(({ packageName }) => packageName);
}

/** `/node_modules/bootstrap/dist/bootstrap.css` in a page or a template: nothing else of their text counts. */
function installedPaths(text: string): PlacedString[] {
  return Array.from(text.matchAll(/node_modules\/[^"'\s)>]+/g), (match) => ({ text: match[0], offset: match.index }));
}

/** The lines of a text whose comments begin with `#`. */
function lines(text: string): PlacedString[] {
  let offset = 0;
  return text.split('\n').map((line) => {
    const start = offset;
    offset += line.length + 1;
    return { text: line.replace(/(^|\s)#.*$/, '$1'), offset: start };
  });
}
