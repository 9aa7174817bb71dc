import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { rowsOf } from '../../src/reach/knowledge/knowledge.js';
import { pythonPackageFinder } from '../../src/reach/languages/python/packages.js';
import { normalisePython } from '../../src/reach/lockfiles/names.js';
import { writeTable } from './write-table.js';

/*
 * Writes knowledge/python/modules.json: the modules of Python packages whose names the rules in src/reach/languages/python do
 * not give. Its source is Debian's index of files (`Contents-all` and `Contents-amd64` of the suites of
 * https://deb.debian.org/debian/dists/, https://wiki.debian.org/DebianRepository/Format#A.22Contents.22_indices). A Debian
 * package of Python holds both the metadata folder of a distribution and its modules. The index states facts about public
 * packages; no text of it is kept.
 *
 *   node_modules/.bin/rolldown scripts/knowledge/python-modules.ts --platform node -o node_modules/.cache/modules.mjs
 *   zcat Contents-all.gz Contents-amd64.gz | grep dist-packages/ > contents.txt
 *   node node_modules/.cache/modules.mjs contents.txt...
 *   npm run fix
 */

const line = /^usr\/lib\/python3[\d.]*\/(?:dist|site)-packages\/(\S+)\s+(?:\S*\/)?(\S+)$/;
const metadata = /^([A-Za-z0-9][\w.]*?)-(?:\d[\w.+!~-]*?)(?:-py\d[\d.]*)?\.(?:dist|egg)-info(?:\/|$)/;
const moduleFile = /\.(?:py|so)$/;
const identifier = /^[A-Za-z]\w*$/;
/** Tests, and what mypyc makes. */
const internal = /(?:^|[_.])(?:tests?|__mypyc)$|^[0-9a-f]{10,}/;

/** Parts of a module's name that are looked at, below folders that are no module themselves. */
const maxDepth = 4;

/** Modules that are installed by mistake, or by so many that they mean none. */
const meaningless = new Set(
  'test tests testing doc docs example examples script scripts tools util utils setup bin src lib build conftest benchmarks'.split(
    ' ',
  ),
);

/** Modules of one distribution; applications have more, which nobody else imports. */
const maxModules = 10;

/** Distributions with the same module that are listed; more share a namespace or a plugin folder. */
const maxOwners = 6;

interface Installed {
  readonly distributions: Set<string>;
  /** Paths below Python's folder. */
  readonly files: Set<string>;
}

/** The lines of one or more indexes, by the Debian package. */
async function readIndex(path: string, packages: Map<string, Installed>): Promise<void> {
  for await (const text of createInterface({ input: createReadStream(path) })) {
    const [, file, debian] = line.exec(text) ?? [];
    if (file === undefined || debian === undefined) continue;
    const found = packages.get(debian) ?? { distributions: new Set(), files: new Set() };
    packages.set(debian, found);
    const name = metadata.exec(file)?.[1];
    if (name !== undefined) found.distributions.add(normalisePython(name));
    else if (moduleFile.test(file)) found.files.add(file);
  }
}

/** The modules at the top, and below folders that hold none of their own: `google.cloud.storage`. */
function modulesOf(files: ReadonlySet<string>): Set<string> {
  const modules = new Set<string>();
  for (const file of files) {
    const parts = file.split('/');
    const names = parts.map((part) => part.replace(/\.(?:py|(?:abi3|cpython-[\w-]+)?\.?so)$/, ''));
    for (let depth = 1; depth <= Math.min(parts.length, maxDepth); depth++) {
      const isFolder = depth < parts.length;
      const folder = parts.slice(0, depth).join('/');
      if (isFolder && !files.has(`${folder}/__init__.py`)) continue;
      modules.add(names.slice(0, depth).join('.'));
      break;
    }
  }
  return modules;
}

function isMeaningful(module: string): boolean {
  const [top = '', ...below] = module.split('.');
  return (
    [top, ...below].every((part) => identifier.test(part)) &&
    !internal.test(module) &&
    !meaningless.has(top.toLowerCase())
  );
}

const packages = new Map<string, Installed>();
for (const path of process.argv.slice(2)) {
  const ofSuite = new Map<string, Installed>();
  await readIndex(path, ofSuite);
  for (const [debian, { distributions, files }] of ofSuite) packages.set(`${path} ${debian}`, { distributions, files });
}
const rows = new Map<string, Set<string>>();
for (const { distributions, files } of packages.values()) {
  // Where a Debian package has several distributions, it does not say whose a module is.
  const [distribution] = distributions;
  if (distribution === undefined || distributions.size > 1) continue;
  const { packagesOf } = pythonPackageFinder([distribution], [rowsOf('python/packages')]);
  const unknown = [...modulesOf(files)].filter((module) => isMeaningful(module) && packagesOf(module).length === 0);
  for (const module of unknown.length > maxModules ? [] : unknown) {
    rows.set(module, (rows.get(module) ?? new Set()).add(distribution));
  }
}
const kept = [...rows].flatMap(([module, owners]) => (owners.size <= maxOwners ? [[module, [...owners].sort()]] : []));
writeTable(
  'knowledge/python/modules.json',
  'scripts/knowledge/python-modules.ts',
  process.argv.slice(2),
  Object.fromEntries(kept),
);
