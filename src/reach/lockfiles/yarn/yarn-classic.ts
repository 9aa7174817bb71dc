import { type PackageJson, readPackageJson } from '../manifest.js';
import type { Reading } from '../package-list.js';
import { LockfileError, type Source } from '../source.js';
import { type ClassicEntry, parseClassic } from './yarn-classic-text.js';
import { readResolutions } from './yarn-graph.js';

type Follow = (ranges: Iterable<readonly [name: string, range: string]>) => string[];

/**
 * yarn.lock of Yarn 1. It tells neither what is direct nor what is for development: the package.json beside it does. In
 * a project with workspaces, whose manifests the file does not name, all is taken as runtime.
 */
export async function readYarnClassic(source: Source): Promise<Reading> {
  const entries = parseClassic(source);
  if (entries.length === 0 && !source.text.includes('yarn lockfile v1')) {
    throw new LockfileError(source.file, 'is not a yarn.lock: expected `# yarn lockfile v1` or `__metadata:`');
  }
  const byPattern = new Map(entries.flatMap((entry) => entry.patterns.map((pattern) => [pattern, identityOf(entry)])));
  const follow: Follow = (ranges) => [...ranges].flatMap(([name, range]) => byPattern.get(`${name}@${range}`) ?? []);

  const resolutions = entries.map((entry) => ({
    identity: identityOf(entry),
    name: nameOf(entry),
    version: entry.fields.get('version'),
    skipped: null,
    edges: { required: follow(entry.dependencies), optional: follow(entry.optionalDependencies) },
  }));
  const manifest = await readPackageJson(source);
  const { entrances, isDirect } = readEntrances(manifest, follow);
  return readResolutions(source, resolutions, entrances, isDirect);
}

function readEntrances(manifest: PackageJson | null, follow: Follow) {
  const enter = (section: 'dependencies' | 'optionalDependencies' | 'devDependencies') =>
    follow(Object.entries(manifest?.[section] ?? {}));
  const entrances = {
    runtime: enter('dependencies'),
    optional: enter('optionalDependencies'),
    development: enter('devDependencies'),
  };
  const direct = new Set(Object.values(entrances).flat());
  if (manifest === null || manifest.workspaces !== undefined) {
    const unknown = { runtime: [], optional: [], development: [] };
    return { entrances: unknown, isDirect: (identity: string) => (direct.has(identity) ? true : null) };
  }
  return { entrances, isDirect: (identity: string) => direct.has(identity) };
}

/** The name in the registry: `lodash` for the pattern `lodash@^4.0.0`, and for its alias `old@npm:lodash@^3.0.0`. */
function nameOf({ patterns }: ClassicEntry): string {
  const pattern = patterns[0] ?? '';
  const { name, range } = splitPattern(pattern);
  return range.startsWith('npm:') ? splitPattern(range.slice(4)).name : name;
}

function splitPattern(pattern: string): { readonly name: string; readonly range: string } {
  const at = pattern.indexOf('@', 1);
  return at === -1 ? { name: pattern, range: '' } : { name: pattern.slice(0, at), range: pattern.slice(at + 1) };
}

function identityOf(entry: ClassicEntry): string {
  return `${nameOf(entry)}@${entry.fields.get('version') ?? ''}`;
}
