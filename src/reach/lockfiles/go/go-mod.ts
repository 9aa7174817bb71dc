import { PackageList, type Reading } from '../package-list.js';
import { LockfileError, rejectConflict, type Source } from '../source.js';

const require = /^([^\s()]+)\s+(v\S+)$/;
const replace = /^(\S+)(?:\s+(v\S+))?\s+=>\s+(\S+)(?:\s+(v\S+))?$/;

interface Module {
  readonly path: string;
  readonly version: string;
  readonly direct: boolean;
}

interface GoMod {
  readonly modules: readonly Module[];
  /** What replaces a module: another module, or a folder (version null). Keys are `path` or `path@version`. */
  readonly replacements: ReadonlyMap<string, { readonly path: string; readonly version: string | null }>;
  /** The minor of `go 1.21`. */
  readonly goMinor: number;
}

/** The first minor of Go whose go.mod names all modules of a build (https://go.dev/ref/mod#graph-pruning). */
const completeSince = 17;

/**
 * go.mod (https://go.dev/ref/mod#go-mod-file): a build uses exactly the versions that it requires. Before Go 1.17 it
 * names the direct modules only; go.sum then gives the rest. Modules of tests are not marked, so all count as runtime.
 */
export async function readGoMod(source: Source): Promise<Reading> {
  const { modules, replacements, goMinor } = parse(source);
  const sums = goMinor < completeSince ? await source.readRelative('go.sum') : null;
  const named = new Set(modules.map(({ path }) => path));
  const rest = sums === null ? [] : [...highestInSums(sums)].filter(([path]) => !named.has(path));

  const list = new PackageList(source.file, 'Go');
  for (const module of [...modules, ...rest.map(([path, version]) => ({ path, version, direct: false }))]) {
    const built = replacements.get(`${module.path}@${module.version}`) ?? replacements.get(module.path) ?? module;
    if (built.version === null) list.skip('is replaced by a folder');
    else {
      list.add({
        key: module.path,
        name: built.path,
        version: built.version,
        scope: 'runtime',
        direct: module.direct,
      });
    }
  }
  return list.finish();
}

function parse(source: Source): GoMod {
  rejectConflict(source);
  const modules: Module[] = [];
  const replacements = new Map<string, { path: string; version: string | null }>();
  let goMinor = 0;
  let hasModule = false;
  let block: string | null = null;
  for (const [index, whole] of source.text.split(/\r?\n/).entries()) {
    const [code = '', comment = ''] = whole.split('//', 2).map((part) => part.trim());
    const line = code.replaceAll(/["`]/g, '');
    const fail = (expected: string) => new LockfileError(source.file, `line ${index + 1}: expected ${expected}`);
    if (line === '') continue;
    if (line === ')') {
      block = null;
      continue;
    }
    const [word = '', ...others] = line.split(/\s+/);
    if (block === null && others.length === 1 && others[0] === '(') {
      block = word;
      continue;
    }
    const directive: string = block ?? word;
    const rest = block === null ? others.join(' ') : line;
    if (directive === 'module') hasModule = true;
    else if (directive === 'go') goMinor = Number(/^1\.(\d+)/.exec(rest)?.[1] ?? 0);
    else if (directive === 'require') {
      const [, path, version] = require.exec(rest) ?? [];
      if (path === undefined || version === undefined) throw fail('a module and its version');
      modules.push({ path, version, direct: !/^indirect\b/.test(comment) });
    } else if (directive === 'replace') {
      const [, path, version, target, targetVersion = null] = replace.exec(rest) ?? [];
      if (path === undefined || target === undefined) throw fail('a replacement such as `a.org/b => a.org/c v1.0.0`');
      replacements.set(version === undefined ? path : `${path}@${version}`, { path: target, version: targetVersion });
    } else if (!/^[a-z]+$/.test(directive)) throw fail('a directive such as `require`');
  }
  if (!hasModule) throw new LockfileError(source.file, 'is not a go.mod: expected a line `module PATH`');
  return { modules, replacements, goMinor };
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
