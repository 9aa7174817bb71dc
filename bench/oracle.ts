import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { agreementOf, type Comparison, compareWithBundler, minAgreement } from '../test/support/bundler-oracle.js';
import { oracleTrees, placeTree } from '../test/support/oracle-trees.js';
import { judgeApplications } from './oracle/applications-figures.js';

// Two comparisons of `reach analyze` with what is known without it; `modules` or `applications` as first argument runs one.
// Exit code 1 where a goal is missed.
// - modules: the packages that are reached from the entry points of a tree, and those that a bundler imports. It reads the trees
//   of the test suite, and larger ones that npm downloads into a temporary folder.
// - applications: the class of each package of public applications (oracle/applications.txt), and what production imports or
//   loads by parsers that are not ours. A second argument takes those whose name holds it. They are fetched by git into
//   ORACLE_FOLDER, or read from bare git directories `owner+name` in ORACLE_MIRROR; ORACLE_WRONG is a file for the packages
//   that are played down. It needs python3, go, ruby and php for their own languages, and leaves out what is not there.

interface PublishedPackage {
  readonly name: string;
  readonly version: string;
  /** Files, and folders (`commands/*`) whose sources are all loaded by names computed at run time. */
  readonly entries: readonly string[];
}

const publishedPackages: readonly PublishedPackage[] = [
  { name: 'ghost', version: '5.130.6', entries: ['ghost.js', 'core/boot.js', 'core/cli/*', 'core/server/models/*'] },
  { name: 'firebase-tools', version: '13.35.1', entries: ['lib/bin/firebase.js', 'lib/commands/*'] },
  { name: 'renovate', version: '37.440.7', entries: ['dist/renovate.js'] },
  { name: 'serverless', version: '3.40.0', entries: ['lib/serverless.js', 'scripts/serverless.js', 'commands/*'] },
  { name: 'antd', version: '5.29.3', entries: ['es/index.js'] },
  { name: 'ra-core', version: '5.15.4', entries: ['src/index.ts'] },
  { name: 'ra-ui-materialui', version: '5.15.4', entries: ['src/index.ts'] },
  { name: 'stylelint', version: '16.26.1', entries: ['lib/index.mjs', 'lib/cli.mjs'] },
  { name: 'eslint', version: '8.57.1', entries: ['lib/api.js', 'lib/cli.js'] },
  { name: 'webpack', version: '5.112.2', entries: ['lib/index.js'] },
  { name: 'karma', version: '6.4.4', entries: ['lib/index.js', 'lib/reporters/*'] },
  { name: 'verdaccio', version: '5.33.0', entries: ['build/index.js'] },
  { name: '@jest/core', version: '29.7.0', entries: ['build/index.js'] },
  { name: 'mongoose', version: '8.24.10', entries: ['index.js'] },
];

const [part, filter] = process.argv.slice(2);
const folder = mkdtempSync(path.join(tmpdir(), 'bench-oracle-'));
try {
  const modules = part === 'applications' || (await compareModules());
  const applications = part === 'modules' || (await judgeApplications(applicationsRun()));
  process.exitCode = modules && applications ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function applicationsRun() {
  return {
    list: 'bench/oracle/applications.txt',
    folder: path.resolve(process.env['ORACLE_FOLDER'] ?? 'node_modules/.cache/postern-oracle'),
    mirror: process.env['ORACLE_MIRROR'],
    wrongFile: process.env['ORACLE_WRONG'],
    filter,
  };
}

async function compareModules(): Promise<boolean> {
  const comparisons: Comparison[] = [];
  const compare = async (name: string, place: string, entries: readonly string[]) => {
    const comparison = await compareWithBundler(place, entries);
    comparisons.push(comparison);
    print(name, [comparison]);
    for (const [what, names] of [
      ['missed', comparison.missed],
      ['more', comparison.more],
    ] as const) {
      if (names.length > 0) console.log(`    ${what}: ${names.join(', ')}`);
    }
  };
  for (const tree of oracleTrees) await compare(tree.name, placeTree(tree, folder, process.cwd()), tree.entries);
  for (const each of publishedPackages) await compare(`${each.name} ${each.version}`, unpack(each), each.entries);
  print(`all ${comparisons.length} trees`, comparisons);
  const { recall, precision } = agreementOf(comparisons);
  console.log(`goals: recall ${percent(minAgreement.recall)}, precision ${percent(minAgreement.precision)}`);
  return recall >= minAgreement.recall && precision >= minAgreement.precision;
}

/** Downloads the source of a package, without its dependencies. */
function unpack({ name, version }: PublishedPackage): string {
  const place = path.join(folder, 'packed', name);
  mkdirSync(place, { recursive: true });
  const listed = execFileSync('npm', ['pack', `${name}@${version}`, '--json', '--ignore-scripts'], {
    cwd: place,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ filename }] = JSON.parse(listed);
  execFileSync('tar', ['-xzf', filename], { cwd: place });
  rmSync(path.join(place, filename));
  return path.join(place, 'package');
}

function print(name: string, comparisons: readonly Comparison[]): void {
  const { packages, recall, precision } = agreementOf(comparisons);
  console.log(
    `${name.padEnd(28)}${String(packages).padStart(5)} packages, recall ${percent(recall)}, precision ${percent(precision)}`,
  );
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1).padStart(5)} %`;
}
