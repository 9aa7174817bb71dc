import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readLockfile } from '../../../src/reach/lockfiles/lockfile.js';
import { syncedPackages } from '../../../src/reach/sync/synced-packages.js';
import type { Database } from '../../../src/service/db/database.js';
import type { Ecosystem } from '../../../src/shared/packages/ecosystem.js';
import { folderWith } from '../../reach/folder.js';
import { at } from '../../support/at.js';
import { ownDatabase } from '../../support/own-database.js';
import { startService, type TestService } from '../../support/service.js';
import { inProject } from '../containers/scanned-project.js';
import { trivyReport } from '../scanners/trivy/trivy-report.js';
import { loadCovering, newProject, record, unique } from './organisation.js';

let database: Database;
let service: TestService;
beforeAll(async () => {
  database = await ownDatabase();
  service = await startService({ database });
});
afterAll(async () => {
  await service.close();
  await database.close();
});

/** What find_exposed says of a flaw below 7.0.0 of a package, in an organisation with this one manifest and a scanned image. */
async function exposed(ecosystem: Ecosystem, name: string, file: string, text: string) {
  const organisation = await service.newOrganisation();
  const project = await newProject(service, organisation, 'shop');
  const cve = unique.cve();
  const range = { type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '7.0.0' }] };
  const affected = [{ package: { ecosystem, name }, ranges: [range] }];
  const modified = new Date().toISOString();
  await loadCovering(service, [ecosystem], record(unique.name(), name, { aliases: [cve], modified, affected }));
  const scanned = { ...trivyReport('acme/shop:1', []), CreatedAt: new Date().toISOString() };
  await inProject(service, organisation.writeKey, project, organisation).scan(scanned);
  const path = `/api/projects/${project}/tech-stack`;
  const isDocument = file.endsWith('.cdx.json');
  const read = isDocument ? null : await readLockfile(join(folderWith({ [file]: text }), file));
  const { status, body } = isDocument
    ? await service.call(organisation.writeKey, 'POST', `${path}/sbom?source=${file}`, text)
    : await service.call(organisation.writeKey, 'POST', `${path}/sync`, {
        source: file,
        packages: syncedPackages(read?.packages ?? []),
        unread: read?.unread,
      });
  expect([status, body]).toMatchObject([200, {}]);
  const answer = await service.call(organisation.readKey, 'GET', `/api/intelligence/exposed?cve=${cve}`);
  const gaps = [at(answer.body, 'coverage.gaps')].flat().map(String);
  const synced = [at(body, 'coverage.gaps')].flat().map(String);
  return { status: at(answer.body, 'coverage.status'), gaps, synced };
}

const sbom = (component: object) =>
  JSON.stringify({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    components: [
      { type: 'library', name: 'other', version: '1.0.0', purl: 'pkg:npm/other@1.0.0' },
      { type: 'library', name: 'handlebars', ...component },
    ],
  });
const gemfile = (section: string, remote: string) =>
  `${section}\n  remote: ${remote}\n  specs:\n    actionpack (5.0.0)\n\nGEM\n  remote: https://example.org/\n  specs:\n    rack (2.0.0)\n\nDEPENDENCIES\n  actionpack!\n  rack\n`;
const pom = (dependency: string) =>
  `<project><groupId>g</groupId><artifactId>a</artifactId><version>1</version><parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId><version>2.5.0</version></parent><dependencies><dependency><groupId>org.h2</groupId><artifactId>h2</artifactId><version>2.0</version></dependency>${dependency}</dependencies></project>`;
const poetry = (source: string) =>
  `[[package]]\nname = "flask"\nversion = "8.0.0"\n\n[[package]]\nname = "django"\nversion = "2.0"\n[package.source]\n${source}\n\n[metadata]\ncontent-hash = "x"\n`;

test.each<[string, Ecosystem, string, string, string, RegExp]>([
  ['an SBOM’s component without version', 'npm', 'handlebars', 'app.cdx.json', sbom({}), /handlebars has no version/],
  [
    'one of the version latest',
    'npm',
    'handlebars',
    'app.cdx.json',
    sbom({ version: 'latest', purl: 'pkg:npm/handlebars@latest' }),
    /handlebars has no version that can be compared \(latest\)/,
  ],
  [
    'one without package URL',
    'npm',
    'handlebars',
    'app.cdx.json',
    sbom({ version: '4.0.0' }),
    /handlebars has no package URL of a registry \(4\.0\.0\)/,
  ],
  [
    'a range of requirements.txt',
    'PyPI',
    'django',
    'requirements.txt',
    'flask==3.0\ndjango>=2.0\n',
    /requirements\.txt, line 2: django is a range, not one version \(>=2\.0\)/,
  ],
  [
    'a gem from Git',
    'RubyGems',
    'actionpack',
    'Gemfile.lock',
    gemfile('GIT', 'https://example.org/rails.git'),
    /Gemfile\.lock, line 4: actionpack comes from Git \(5\.0\.0\)/,
  ],
  [
    'a gem in a vendored folder',
    'RubyGems',
    'actionpack',
    'Gemfile.lock',
    gemfile('PATH', 'vendor/actionpack'),
    /actionpack comes from a folder/,
  ],
  [
    'what a POM needs in turn',
    'Maven',
    'org.springframework:spring-beans',
    'pom.xml',
    pom(''),
    /pom\.xml lists direct packages alone/,
  ],
  [
    'a version that a POM’s parent sets',
    'Maven',
    'org.x:y',
    'pom.xml',
    pom('<dependency><groupId>org.x</groupId><artifactId>y</artifactId><version>${y}</version></dependency>'),
    /org\.x:y has a property that is not set in the file \(\$\{y\}\)/,
  ],
  [
    'a Python package from Git',
    'PyPI',
    'django',
    'poetry.lock',
    poetry('type = "git"\nurl = "https://example.org/django.git"'),
    /django comes from Git/,
  ],
  [
    'a module that a folder replaces',
    'Go',
    'example.org/lib',
    'go.mod',
    'module a\ngo 1.26.0\nrequire example.org/lib v1.0.0\nreplace example.org/lib => ../lib\n',
    /line 4|line 3: example\.org\/lib comes from a folder/,
  ],
  [
    'a crate from Git',
    'crates.io',
    'hyper',
    'Cargo.lock',
    'version = 3\n[[package]]\nname = "own"\nversion = "1.0.0"\n[[package]]\nname = "hyper"\nversion = "0.1.0"\nsource = "git+https://example.org/hyper#abc"\n[[package]]\nname = "serde"\nversion = "8.0.0"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\n',
    /hyper comes from Git \(0\.1\.0\)/,
  ],
  [
    'a branch of Composer',
    'Packagist',
    'symfony/http-kernel',
    'composer.lock',
    JSON.stringify({ packages: [{ name: 'symfony/http-kernel', version: 'dev-master' }] }),
    /symfony\/http-kernel/,
  ],
])('of %s it is unknown, and the gap names it', async (_what, ecosystem, name, file, text, gap) => {
  const { status, gaps, synced } = await exposed(ecosystem, name, file, text);
  expect(status).toBe('unknown');
  expect(gaps).toContainEqual(expect.stringMatching(gap));
  // The sync itself never calls that complete.
  expect(synced).not.toEqual([]);
});

test('Go’s standard library is affected at the version that go.mod states', async () => {
  const { status } = await exposed('Go', 'stdlib', 'go.mod', 'module a\ngo 1.26.0\n');
  expect(status).toBe('affected');
});

test('of what is surely not there it stays not_affected', async () => {
  const lock = '[[package]]\nname = "flask"\nversion = "8.0.0"\n\n[metadata]\ncontent-hash = "x"\n';
  expect(await exposed('PyPI', 'django', 'poetry.lock', lock)).toMatchObject({ status: 'not_affected', gaps: [] });
  // A list of direct packages knows those that it lists.
  expect(await exposed('PyPI', 'flask', 'requirements.txt', 'flask==8.0.0\n')).toMatchObject({
    status: 'not_affected',
  });
});
