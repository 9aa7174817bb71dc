import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type UsageReport, usageReport } from '../../../src/procedures/usage-report.js';
import type { Database } from '../../../src/service/db/database.js';
import { loadDataFile } from '../../service/feeds/load-data-file.js';
import { type JudgedProject, projectWithVerdicts } from '../../service/reachability/project-with-verdicts.js';
import { dataFile, hasData } from '../../support/data.js';
import { ownDatabase } from '../../support/own-database.js';
import { startService, type TestService } from '../../support/service.js';
import { runReach } from '../run-reach.js';

const apps = {
  nodegoat: 'lockfiles/nodegoat/package-lock.json',
  'juice-shop': 'lockfiles/juice-shop/package-lock.generated-2026-11-21.json',
};

/** The data may be read-only: copied are contents, not modes. */
function copyFiles(from: string, to: string): void {
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const place = join(to, relative(from, entry.parentPath), entry.name);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, readFileSync(join(entry.parentPath, entry.name)));
  }
}

interface App {
  readonly folder: string;
  readonly project: JudgedProject;
  readonly stdout: string;
  readonly report: UsageReport;
  readonly verdicts: Awaited<ReturnType<JudgedProject['verdicts']>>;
}

describe.skipIf(!hasData)('two real applications, through the real service', () => {
  let database: Database;
  let service: TestService;
  const analyzed = new Map<string, App>();

  beforeAll(async () => {
    database = await ownDatabase();
    await loadDataFile(database, 'osv', 'osv/ghsa-npm.ndjson');
    await loadDataFile(database, 'kev', 'kev/known_exploited_vulnerabilities.json');
    await loadDataFile(database, 'epss', 'epss/epss-subset-2025-08-15.csv');
    service = await startService({ database, assessing: true });
    for (const [name, lock] of Object.entries(apps)) analyzed.set(name, await analyzeApp(name, lock));
  });
  afterAll(async () => {
    for (const { folder } of analyzed.values()) rmSync(folder, { recursive: true, force: true });
    await service.close();
    await database.close();
  });

  async function analyzeApp(name: string, lock: string): Promise<App> {
    const folder = mkdtempSync(join(tmpdir(), `reach-${name}-`));
    copyFiles(dataFile(`apps/${name}`), folder);
    writeFileSync(join(folder, 'package-lock.json'), readFileSync(dataFile(lock)));
    const project = await projectWithVerdicts(service);
    const run = async (...args: string[]) => {
      const env = { SERVICE_API_URL: service.url, SERVICE_API_KEY: project.organisation.writeKey };
      const ran = await runReach([...args, '--project', project.projectId], env);
      expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
      return ran.stdout;
    };
    await run('sync', folder);
    const output = join(folder, 'usage.json');
    const stdout = await run('analyze', folder, '--output', output, '--exposure', 'internet');
    const report = usageReport.parse(JSON.parse(readFileSync(output, 'utf8')));
    const verdicts = await project.verdicts();
    const rest = await project.verdicts('&page=2');
    return { folder, project, stdout, report, verdicts: [...verdicts, ...rest] };
  }

  const app = (name: string): App => {
    const found = analyzed.get(name);
    if (found === undefined) throw new Error(`${name} was not analyzed`);
    return found;
  };

  /** The usage of the version that the application itself asks for. */
  const usageOf = (name: string, packageName: string) =>
    app(name).report.dependencies.find(({ purl, direct }) => direct && purl.startsWith(`pkg:npm/${packageName}@`))
      ?.usage;

  test.each(Object.keys(apps))(
    '%s: every called or imported verdict has a site where the file imports the package',
    (name) => {
      const { verdicts, folder } = app(name);
      const used = verdicts.filter(({ evidence }) => ['called', 'imported'].includes(evidence.usage.class));
      expect(used.length).toBeGreaterThan(5);
      for (const verdict of used) {
        const { sites } = verdict.evidence.usage;
        expect(sites.length, verdict.package.name).toBeGreaterThan(0);
        for (const { file, line, column } of sites) {
          const lines = readFileSync(join(folder, file), 'utf8')
            .split('\n')
            .slice(line - 1);
          const [first = '', ...others] = lines;
          const [, specifier] = /['"`]([^'"`]+)['"`]/.exec([first.slice(column - 1), ...others].join('\n')) ?? [];
          expect(`${specifier}/`, `${file}:${line}:${column}`).toMatch(new RegExp(`^${verdict.package.name}/`));
        }
      }
    },
  );

  test.each(Object.keys(apps))(
    '%s: every site of the report is a line that names the package, inside the file',
    (name) => {
      const { report, folder } = app(name);
      const imports = report.dependencies.flatMap(({ purl, sites }) =>
        sites.filter(({ kind, type_only }) => kind !== 'mention' && !type_only).map((site) => ({ purl, ...site })),
      );
      expect(imports.length).toBeGreaterThan(20);
      for (const { purl, file, line } of imports) {
        const packageName = decodeURIComponent(purl.slice('pkg:npm/'.length, purl.lastIndexOf('@')));
        const text = readFileSync(join(folder, file), 'utf8')
          .split('\n')
          .slice(line - 1, line + 20)
          .join('\n');
        expect(text, `${file}:${line}`).toContain(packageName);
      }
    },
  );

  test.each([
    ['nodegoat', 'express', 'reached'],
    ['nodegoat', 'marked', 'reached'],
    ['nodegoat', 'needle', 'reached'],
    ['nodegoat', 'helmet', 'unused'],
    ['nodegoat', 'csurf', 'unused'],
    ['nodegoat', 'dont-sniff-mimetype', 'unused'],
    ['juice-shop', 'express', 'reached'],
    ['juice-shop', 'sequelize', 'reached'],
    ['juice-shop', 'sanitize-html', 'reached'],
  ])('%s: %s is %s', (name, packageName, usage) => {
    expect(usageOf(name, packageName)).toBe(usage);
  });

  test.each(['hbs', 'sqlite3', 'libxml2-wasm'])('juice-shop: %s is not unused', (packageName) => {
    expect(['unused', undefined]).not.toContain(usageOf('juice-shop', packageName));
  });

  test.each(Object.keys(apps))('%s: what nothing uses, by a complete search, counts as not used', (name) => {
    const { report, verdicts } = app(name);
    // The copy of Juice Shop lacks files that its code imports.
    expect(report.complete).toBe(name === 'nodegoat');
    const gaps = report.ecosystems?.flatMap((each) => each.gaps) ?? [];
    expect(gaps.filter(({ kind }) => kind !== 'unresolved_import')).toEqual([]);
    const unused = new Set(
      report.dependencies.flatMap(({ purl, usage, scope, gaps: hiding }) =>
        usage === 'unused' && scope !== 'development' && hiding?.length === 0 ? decodeURIComponent(purl) : [],
      ),
    );
    const isUnused = ({ package: { name: packageName }, versions }: (typeof verdicts)[number]) =>
      versions.every((version) => unused.has(`pkg:npm/${packageName}@${version}`));
    for (const verdict of verdicts) {
      expect(verdict.evidence.usage.class === 'not_used', verdict.package.name).toBe(isUnused(verdict));
    }
  });

  test('nodegoat has the 131 pairs of CVE and package, each with a verdict', () => {
    const { verdicts, report, stdout } = app('nodegoat');
    expect(verdicts).toHaveLength(131);
    expect(report.complete).toBe(true);
    // The service's own work may make some of them meanwhile: the upload counts only what it has made.
    expect(stdout).toMatch(/verdicts: \d+ created, 0 updated, 0 unchanged/);
    expect(stdout).toContain('131 verdicts: ');
    expect(new Set(verdicts.map(({ evidence }) => evidence.usage.class)).size).toBeGreaterThan(2);
  });

  test('no verdict on what is unused is high, and helmet’s own kind is not used', () => {
    const { verdicts } = app('nodegoat');
    const unused = verdicts.filter(({ evidence }) => evidence.usage.class === 'not_used');
    expect(unused.every(({ band }) => band === 'likely_not_exploitable' || band === 'known_exploited')).toBe(true);
  });

  test('a second upload leaves every verdict as it was, and a changed exposure moves them', async () => {
    const { project, folder } = app('nodegoat');
    const env = { SERVICE_API_URL: service.url, SERVICE_API_KEY: project.organisation.writeKey };
    const again = (...args: string[]) => runReach(['analyze', folder, '--project', project.projectId, ...args], env);
    expect((await again()).stdout).toMatch(/verdicts: 0 created, 0 updated, \d+ unchanged/);
    const before = await project.verdicts();
    await again('--exposure', 'isolated');
    const after = await project.verdicts();
    expect(after[0]?.effective_priority).toBeLessThan(before[0]?.effective_priority ?? 0);
    await again('--exposure', 'internet');
    expect((await project.verdicts()).map(({ effective_priority }) => effective_priority)).toEqual(
      before.map(({ effective_priority }) => effective_priority),
    );
  });
});
