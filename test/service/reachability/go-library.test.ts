import { afterAll, beforeAll, expect, test } from 'vitest';
import { reachability } from '../../../src/procedures/reachability.js';
import type { Database } from '../../../src/service/db/database.js';
import { folderWith } from '../../reach/folder.js';
import { runReach } from '../../reach/run-reach.js';
import { ownDatabase } from '../../support/own-database.js';
import { startService, type TestService } from '../../support/service.js';
import { loadCovering, newProject, record, unique } from '../intelligence/organisation.js';

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

/** A flaw of Go below 1.26.1, in these functions of a package of its library. */
async function flawIn(name: string, path: string, ...symbols: string[]) {
  const [id, cve] = [unique.name(), unique.cve()];
  const range = { type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '1.26.1' }] };
  const imports = [{ path, symbols }];
  const affected = [{ package: { ecosystem: 'Go', name }, ranges: [range], ecosystem_specific: { imports } }];
  await loadCovering(service, ['Go'], record(id, name, { aliases: [cve], affected }));
  return cve;
}

/** The verdicts on a tree that is synced and analyzed, by CVE. */
async function judged(files: Readonly<Record<string, string>>) {
  const organisation = await service.newOrganisation({ plan: 'Business' });
  const project = await newProject(service, organisation, 'tool');
  const folder = folderWith({ 'go.mod': 'module example.org/tool\n\ngo 1.26.0\n', ...files });
  const env = { SERVICE_API_URL: service.url, SERVICE_API_KEY: organisation.writeKey };
  for (const command of ['sync', 'analyze']) {
    expect(await runReach([command, folder, '--project', project], env)).toMatchObject({ exitCode: 0, stderr: '' });
  }
  const path = `/api/projects/${project}/reachability/verdicts?page_size=100`;
  const { items } = reachability.listVerdicts.output.parse(
    (await service.call(organisation.readKey, 'GET', path)).body,
  );
  return async (cve: string) => {
    const verdict = items.find((each) => each.cve === cve);
    const one = `/api/projects/${project}/reachability/verdicts/${verdict?.id}`;
    const { body } = await service.call(organisation.readKey, 'GET', one);
    const { usage } = reachability.getVerdict.output.parse(body).evidence;
    return {
      usage: usage.class,
      sites: usage.sites.map(({ file, line }) => `${file}:${line}`),
    };
  };
}

const main = (...imports: string[]) =>
  `package main\n\nimport (\n${imports.map((path) => `\t"${path}"\n`).join('')})\n\nfunc main() {\n\tfmt.Println()\n\thttp.ListenAndServe(":1", nil)\n}\n`;

test('a flaw of Go’s library is tied to the imports of its own package', async () => {
  const served = await flawIn('stdlib', 'net/http', 'ListenAndServe', 'Server.Serve');
  const handled = await flawIn('stdlib', 'net/http', 'Handler.private');
  const checked = await flawIn('stdlib', 'crypto/x509', 'Certificate.Verify');
  const always = await flawIn('stdlib', 'runtime', 'gc');
  const built = await flawIn('toolchain', 'cmd/go');
  const verdict = await judged({ 'main.go': main('fmt', 'net/http') });
  expect(await verdict(served)).toEqual({ usage: 'called', sites: ['main.go:5'] });
  expect(await verdict(handled)).toEqual({ usage: 'called', sites: ['main.go:5'] });
  // Another package of the library may use it: that is neither called nor unused.
  expect(await verdict(checked)).toEqual({ usage: 'transitive_only', sites: [] });
  expect(await verdict(always)).toMatchObject({ usage: 'called' });
  expect(await verdict(built)).toEqual({ usage: 'dev_only', sites: [] });
});

test('what only tests import is no use in production', async () => {
  const cve = await flawIn('stdlib', 'net/smtp', 'SendMail');
  const verdict = await judged({
    'main.go': main('fmt', 'net/http'),
    'a_test.go': 'package main\n\nimport "net/smtp"\n\nvar _ = smtp.SendMail\n',
  });
  expect(await verdict(cve)).toEqual({ usage: 'transitive_only', sites: [] });
});

test('of more imports than a report lists, each package has a place all the same', async () => {
  const [served, checked] = [await flawIn('stdlib', 'net/http', 'Get'), await flawIn('stdlib', 'crypto/x509', 'New')];
  const many = Array.from({ length: 80 }, (_, nth) => [
    `a/f${nth}.go`,
    `package a\n\nimport "fmt"\n\nvar _${nth} = fmt.Sprint()\n`,
  ]);
  const files = { ...Object.fromEntries(many), 'main.go': main('fmt', 'example.org/tool/a', 'net/http') };
  const verdict = await judged(files);
  expect(await verdict(served)).toEqual({ usage: 'called', sites: ['main.go:6'] });
  expect(await verdict(checked)).toMatchObject({ usage: 'transitive_only' });
});
