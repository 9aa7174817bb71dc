import { PackageList, type Reading } from '../package-list.js';
import { LockfileError, rejectConflict, type Source } from '../source.js';

const require = /^([^\s()]+)\s+(v\S+)$/;
const replace = /^(\S+)(?:\s+(v\S+))?\s+=>\s+(\S+)(?:\s+(v\S+))?$/;

interface Module {
  readonly path: string;
  readonly version: string;
  readonly direct: boolean;
  readonly line: number;
}

interface Replacement {
  readonly path: string;
  readonly version: string | null;
}

interface GoMod {
  readonly modules: Module[];
  /** What replaces a module: another module, or a folder (version null). Keys are `path` or `path@version`. */
  readonly replacements: Map<string, Replacement>;
  /** The minor of `go 1.21`. */
  goMinor: number;
  /** The version of Go that builds it at least: `toolchain go1.26.1`, else `go 1.26.0`; null where the file states none. */
  toolchain: string | null;
  language: string | null;
}

/** The first minor of Go whose go.mod names all modules of a build (https://go.dev/ref/mod#graph-pruning). */
const completeSince = 17;

/**
 * go.mod (https://go.dev/ref/mod#go-mod-file): a build uses exactly the versions that it requires. Before Go 1.17 it
 * names the direct modules only; go.sum then gives the rest. Modules of tests are not marked, so all count as runtime.
 * The standard library and the toolchain are packages of Go's advisories, at the version that `toolchain` or `go` states
 * (https://go.dev/doc/toolchain).
 */
export async function readGoMod(source: Source): Promise<Reading> {
  const { modules, replacements, goMinor, language, ...stated } = parse(source);
  const toolchain = stated.toolchain ?? language;
  const sums = goMinor < completeSince ? await source.readRelative('go.sum') : null;
  const named = new Set(modules.map(({ path }) => path));
  const rest = sums === null ? [] : [...highestInSums(sums)].filter(([path]) => !named.has(path));

  const list = new PackageList(source.file, 'Go');
  for (const module of [...modules, ...rest.map(([path, version]) => ({ path, version, direct: false, line: 0 }))]) {
    const built = replacements.get(`${module.path}@${module.version}`) ?? replacements.get(module.path) ?? module;
    if (built.version === null) {
      const at = module.line === 0 ? 'go.sum' : `line ${module.line}`;
      list.unread({ name: module.path, reason: 'path', stated: built.path, at });
    } else {
      if (built.path !== module.path) {
        const stated = `${built.path} ${built.version}`;
        list.doubt({ name: module.path, reason: 'replaced', stated, at: `line ${module.line}` });
      }
      list.add({
        key: module.path,
        name: built.path,
        version: built.version,
        scope: 'runtime',
        direct: module.direct,
      });
    }
  }
  for (const { path, stated } of await replacedByWorkspace(source)) {
    if (named.has(path)) list.doubt({ name: path, reason: 'replaced', stated, at: 'go.work' });
  }
  if (goMinor < completeSince && sums === null) list.directOnly();
  for (const name of toolchain === null ? [] : ['stdlib', 'toolchain']) {
    // The tools build the program; the library is a part of it.
    const scope = name === 'stdlib' ? 'runtime' : 'development';
    list.add({ key: name, name, version: toolchain ?? undefined, scope, direct: true });
  }
  return list.finish();
}

/** Folders above the module in which a go.work is looked for. */
const maxAbove = 5;

const workReplace = /^\s*(?:replace\s+)?([^\s(/]\S*)(?:\s+v\S+)?\s+=>\s+(\S+(?:[ \t]+v\S+)?)/gm;

/** What a go.work puts in the place of modules (https://go.dev/ref/mod#go-work-file-replace): the nearest one upwards counts. */
async function replacedByWorkspace(source: Source): Promise<{ readonly path: string; readonly stated: string }[]> {
  for (let above = 0; above <= maxAbove; above++) {
    const work = await source.readRelative(`${'../'.repeat(above)}go.work`);
    if (work === null) continue;
    return [...work.text.matchAll(workReplace)].map(([, path = '', stated = '']) => ({ path, stated }));
  }
  return [];
}

/** A directive of a go.mod with its arguments; one of a block is as if it stood alone. */
interface Statement {
  readonly directive: string;
  readonly rest: string;
  readonly comment: string;
  /** From 1. */
  readonly line: number;
}

function* statementsOf(text: string): Generator<Statement> {
  let block: string | null = null;
  for (const [index, whole] of text.split(/\r?\n/).entries()) {
    const [code = '', comment = ''] = whole.split('//', 2).map((part) => part.trim());
    const statement = code.replaceAll(/["`]/g, '');
    const [word = '', ...others] = statement.split(/\s+/);
    if (statement === '') continue;
    if (statement === ')') block = null;
    else if (block === null && others.length === 1 && others[0] === '(') block = word;
    else {
      const rest = block === null ? others.join(' ') : statement;
      yield { directive: block ?? word, rest, comment, line: index + 1 };
    }
  }
}

type Fail = (expected: string) => LockfileError;

/** The directives that add something to an image. The others say nothing of it. */
const directives: Readonly<Record<string, (found: GoMod, statement: Statement, fail: Fail) => void>> = {
  go(found, { rest }) {
    found.goMinor = Number(/^1\.(\d+)/.exec(rest)?.[1] ?? 0);
    found.language = releaseOf(rest);
  },
  toolchain(found, { rest }) {
    found.toolchain = releaseOf(rest.replace(/^go/, ''));
  },
  require({ modules }, { rest, comment, line }, fail) {
    const [, path, version] = require.exec(rest) ?? [];
    if (path === undefined || version === undefined) throw fail('a module and its version');
    modules.push({ path, version, direct: !/^indirect\b/.test(comment), line });
  },
  replace({ replacements }, { rest }, fail) {
    const [, path, version, target, targetVersion = null] = replace.exec(rest) ?? [];
    if (path === undefined || target === undefined) throw fail('a replacement such as `a.org/b => a.org/c v1.0.0`');
    replacements.set(version === undefined ? path : `${path}@${version}`, { path: target, version: targetVersion });
  },
};

function parse(source: Source): GoMod {
  rejectConflict(source);
  const found: GoMod = { modules: [], replacements: new Map(), goMinor: 0, language: null, toolchain: null };
  let hasModule = false;
  for (const statement of statementsOf(source.text)) {
    const { directive, line } = statement;
    const fail: Fail = (expected) => new LockfileError(source.file, `line ${line}: expected ${expected}`);
    if (!/^[a-z]+$/.test(directive)) throw fail('a directive such as `require`');
    hasModule ||= directive === 'module';
    if (Object.hasOwn(directives, directive)) directives[directive]?.(found, statement, fail);
  }
  if (!hasModule) throw new LockfileError(source.file, 'is not a go.mod: expected a line `module PATH`');
  return found;
}

/** The release of Go that a text states: `1.21` is the language, whose first release is 1.21.0. Null for `default` and the like. */
function releaseOf(text: string): string | null {
  const [, release, patch] = /^(1\.\d+)(\.\d+|(?:rc|beta)\d+)?(?:-\S*)?$/.exec(text.trim()) ?? [];
  if (release === undefined) return null;
  // Advisories write `1.22.0-rc.1` for Go's `1.22rc1`.
  return patch?.startsWith('.') === false
    ? `${release}.0-${patch.replace(/\d+$/, '.$&')}`
    : `${release}${patch ?? '.0'}`;
}

/** The modules of go.sum that have a hash of their content, not only of their go.mod. Sorted: the last version is the highest. */
function highestInSums({ text }: Source): Map<string, string> {
  const versions = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [path = '', version = ''] = line.split(' ');
    if (version !== '' && !version.endsWith('/go.mod')) versions.set(path, version);
  }
  return versions;
}
