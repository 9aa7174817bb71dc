import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { type Measured, measure, median } from './support/measure.js';

// Measures `reach analyze`, dependency-cruiser, depcheck and knip on the same tree: one after the other in each of five
// rounds, medians of processor time. npm installs the other tools, and the packages whose sources make the tree, into a
// temporary folder.

const rounds = 5;
const megabytesOfLargeTree = 60;

const tools = { 'dependency-cruiser': '16', depcheck: '1', knip: '6', typescript: '5' };

/** Packages that publish their source: TypeScript, and JavaScript in many small modules. */
const sources = { rxjs: '7', effect: '3', zod: '4', 'lodash-es': '4' };

const goals = { 'dependency-cruiser': 8, depcheck: 6, knip: 3 };

const folder = mkdtempSync(path.join(tmpdir(), 'bench-reach-'));
try {
  main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function main(): void {
  console.log(`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}`);
  const reach = buildReach();
  const installed = install();
  const tree = makeTree(installed, 'tree', 1);
  console.log(`\nOne tree: ${describe(tree)}; medians of ${rounds} rounds`);

  const output = path.join(folder, 'usage.json');
  const bin = (name: string, file: string) => path.join(installed, 'node_modules', name, file);
  const commands: Readonly<Record<string, readonly string[]>> = {
    reach: [reach, 'analyze', tree, '--output', output],
    'dependency-cruiser': [
      bin('dependency-cruiser', 'bin/dependency-cruise.mjs'),
      ...['--no-config', '--ts-pre-compilation-deps', '--exclude', 'node_modules', '--output-type', 'json', 'src'],
    ],
    depcheck: [bin('depcheck', 'bin/depcheck.js'), tree, '--json'],
    knip: [bin('knip', 'bin/knip.js'), '--directory', tree, '--no-progress', '--no-exit-code', '--reporter', 'json'],
  };
  const all = new Map<string, Measured[]>(Object.keys(commands).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, args] of Object.entries(commands)) {
      const measured = measure(args, tree);
      all.get(name)?.push(measured);
      console.error(`round ${round + 1}: ${name} ${measured.cpuSeconds.toFixed(2)} s`);
    }
  }
  const cpuOf = (name: string) => median((all.get(name) ?? []).map(({ cpuSeconds }) => cpuSeconds));
  for (const [name, measured] of all) {
    const ratio = cpuOf(name) / cpuOf('reach');
    const goal = Object.entries(goals).find(([tool]) => tool === name)?.[1];
    console.log(
      `${name.padEnd(20)}${cpuOf(name).toFixed(2).padStart(8)} s of processor time ${`${ratio.toFixed(1)} x`.padStart(8)}` +
        `${goal === undefined ? '' : ` (goal: ${goal} x)`}, ${median(measured.map(({ peakMegabytes }) => peakMegabytes)).toFixed(0)} MB at most, ${measured[0]?.outputBytes ?? 0} bytes of output`,
    );
  }

  const large = makeTree(installed, 'large', Math.ceil((megabytesOfLargeTree * 1e6) / sizeOf(tree).bytes));
  const runs = Array.from({ length: 3 }, () => measure([reach, 'analyze', large, '--output', output], large));
  const { stats } = JSON.parse(readFileSync(output, 'utf8'));
  const seconds = median(runs.map(({ wallSeconds }) => wallSeconds));
  console.log(
    `\nLarge tree: ${describe(large)}\nreach: ${stats.files} files read in ${seconds.toFixed(1)} s, ${(stats.files / seconds).toFixed(0)} files a second (goal: 1000), ` +
      `${Math.max(...runs.map(({ peakMegabytes }) => peakMegabytes)).toFixed(0)} MB at most (goal: under 300)`,
  );
}

/** Builds the program as users run it. */
function buildReach(): string {
  execFileSync('npm', ['run', '--silent', 'prestart']);
  return path.resolve('dist/reach.js');
}

function install(): string {
  const place = path.join(folder, 'installed');
  mkdirSync(place);
  writeFileSync(
    path.join(place, 'package.json'),
    JSON.stringify({ private: true, dependencies: { ...tools, ...sources } }),
  );
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent', '--ignore-scripts'], {
    cwd: place,
    stdio: 'inherit',
  });
  for (const name of Object.keys(tools)) {
    const { version } = JSON.parse(readFileSync(path.join(place, 'node_modules', name, 'package.json'), 'utf8'));
    console.log(`${name} ${version}`);
  }
  return place;
}

function isSource(name: string): boolean {
  return /\.(?:[cm]?[jt]s|[jt]sx)$/.test(name) && !/\.d\.[cm]?ts$|\.min\.js$/.test(name);
}

/** The sources of the packages, `copies` times, as one project that depends on them. */
function makeTree(installed: string, name: string, copies: number): string {
  const tree = path.join(folder, name);
  for (let copy = 0; copy < copies; copy++) {
    for (const source of Object.keys(sources)) {
      const from = path.join(installed, 'node_modules', source);
      // If a package publishes its TypeScript, the build is left out.
      const inner = existsSync(path.join(from, 'src')) ? 'src' : '.';
      cpSync(path.join(from, inner), path.join(tree, 'src', `copy-${copy}`, source), {
        recursive: true,
        filter: (path_) =>
          !path_.includes(`${source}/node_modules`) && (statSync(path_).isDirectory() || isSource(path_)),
      });
    }
    const uses = Object.keys(sources).map((source, i) => `import * as p${i} from '${source}';\nconsole.log(p${i});\n`);
    writeFileSync(path.join(tree, 'src', `copy-${copy}`, 'index.ts'), uses.join(''));
  }
  const main = Array.from({ length: copies }, (_, copy) => `import './copy-${copy}/index.js';\n`).join('');
  writeFileSync(path.join(tree, 'src/index.ts'), main);
  const manifest = { name: 'tree', version: '1.0.0', type: 'module', main: 'src/index.ts', dependencies: sources };
  writeFileSync(path.join(tree, 'package.json'), JSON.stringify(manifest));
  writeFileSync(
    path.join(tree, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { module: 'nodenext' }, include: ['src'] }),
  );
  writeFileSync(
    path.join(tree, 'knip.json'),
    JSON.stringify({ entry: ['src/**/*.{js,mjs,cjs,ts}'], project: ['src/**'] }),
  );
  cpSync(path.join(installed, 'package-lock.json'), path.join(tree, 'package-lock.json'));
  return tree;
}

function sizeOf(tree: string): { files: number; bytes: number } {
  const files = readdirSync(tree, { recursive: true, encoding: 'utf8' }).filter(isSource);
  return { files: files.length, bytes: files.reduce((sum, file) => sum + statSync(path.join(tree, file)).size, 0) };
}

function describe(tree: string): string {
  const { files, bytes } = sizeOf(tree);
  return `${files} source files, ${(bytes / 1e6).toFixed(1)} MB`;
}
