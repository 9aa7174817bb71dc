import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, test, vi } from 'vitest';
import type { Plan } from '../../src/service/auth/caller.js';
import { sarifReports } from '../../src/service/sample/sarif-reports.js';
import { sampleUsageReport } from '../../src/service/sample/usage-report.js';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.js';
import { hasChromium } from './support/chromium.js';
import { startDashboard } from './support/dashboard.js';
import { failing } from './support/faults.js';
import { newSampleOrganisation } from './support/sample-organisation.js';

const dashboard = startDashboard();

const fileOf = (name: string, content: unknown) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
});

const component = (name: string, version: string) => ({
  ...{ type: 'library', name, version },
  purl: `pkg:npm/${name}@${version}`,
});
const sbom = {
  ...{ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 },
  metadata: { component: { type: 'application', name: 'till' } },
  components: [component('lodash', '4.17.11'), component('lodash', '4.17.11'), { type: 'library' }],
};

interface Opening {
  readonly plan?: Plan;
  readonly width?: number;
  readonly expects?: RegExp;
}

async function openUploads({ plan, ...opening }: Opening = {}): Promise<Page> {
  const organisation = await newSampleOrganisation(dashboard().service, plan);
  const path = `/projects/${organisation.projectId}/uploads`;
  const page = await dashboard().open(path, { organisation, as: 'member', ...opening });
  await page.getByRole('button', { name: 'Choose files' }).waitFor();
  return page;
}

const choose = (page: Page, ...files: ReturnType<typeof fileOf>[]) => page.setInputFiles('input[type=file]', files);

describe.skipIf(!hasChromium)('uploads', () => {
  test('recognise files, send them together, and each says what became of it', async () => {
    const page = await openUploads();
    await choose(
      page,
      fileOf('scan.json', sarifReports.first),
      fileOf('bom.json', sbom),
      fileOf('usage.json', { ...sampleUsageReport, generated_at: new Date().toISOString() }),
    );
    const scan = page.getByRole('article', { name: 'scan.json' });
    const bom = page.getByRole('article', { name: 'bom.json' });
    const usage = page.getByRole('article', { name: 'usage.json' });
    await scan.getByLabel('Repository').waitFor();
    expect(await scan.getByLabel('It is a').inputValue()).toBe('sarif');
    expect(await bom.getByLabel('It is a').inputValue()).toBe('cyclonedx');
    expect(await usage.getByLabel('It is a').inputValue()).toBe('usage');
    await expectAccessible(page);
    await scan.getByLabel('Repository').fill('https://github.com/acme/till');
    await page.getByRole('button', { name: 'Send all' }).click();
    await scan.getByText('Findings: 5 new, 0 reopened, 0 fixed, 0 unchanged, 1 accepted in the report.').waitFor();
    await scan.getByText('Receipt: 6 rows: 6 taken').waitFor();
    await bom.getByText('Packages of sbom:till: 1 added').waitFor();
    await bom.getByText('3 rows: 1 taken, 1 merged with one that was taken, 1 skipped.').waitFor();
    await bom.getByText('1 row could not be read').click();
    await bom.getByText('/components/2').waitFor();
    await usage.getByText(/^Verdicts: \d+ new, \d+ updated\./).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Code' }).first().click();
    await page.getByText('SQL', { exact: false }).or(page.getByText('findings are open')).first().waitFor();
  });

  test('one file fails by itself: what was typed stays, and it can be sent again', async () => {
    const page = await openUploads({ expects: /50\d/ });
    await choose(page, fileOf('scan.json', sarifReports.first), fileOf('bom.json', sbom));
    const scan = page.getByRole('article', { name: 'scan.json' });
    await scan.getByLabel('Repository').fill('https://github.com/acme/till');
    const mend = dashboard().inject(/POST \/api\/projects\/[^/]+\/sast\/reports/, failing(500));
    await page.getByRole('button', { name: 'Send all' }).click();
    await scan.getByRole('alert').waitFor();
    await page.getByRole('article', { name: 'bom.json' }).getByText('Packages of sbom:till: 1 added').waitFor();
    expect(await scan.getByLabel('Repository').inputValue()).toBe('https://github.com/acme/till');
    await expectAccessible(page);
    mend();
    await scan.getByRole('button', { name: 'Send again scan.json' }).click();
    await scan.getByText(/^Findings: 5 new/).waitFor();
  });

  test('what was typed stays when the project’s own repository is known later', async () => {
    const { service, inject, open } = dashboard();
    const organisation = await newSampleOrganisation(service);
    const { projectId } = organisation;
    const { body } = await service.call(organisation.readKey, 'GET', `/api/projects/${projectId}`);
    const held: ServerResponse[] = [];
    inject(/GET \/api\/projects\/[^/?]+$/, (res) => void held.push(res));
    const page = await open(`/projects/${projectId}/uploads`, { organisation });
    await choose(page, fileOf('scan.json', sarifReports.first));
    const scan = page.getByRole('article', { name: 'scan.json' });
    await scan.getByLabel('Repository').fill('https://github.com/acme/till');
    await vi.waitFor(() => expect(held).not.toEqual([]), { timeout: 300_000 });
    for (const res of held) res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    await page.getByText('Web shop', { exact: true }).first().waitFor();
    await scan.getByLabel('It is a').selectOption('ZAP report of a site');
    await scan.getByLabel('It is a').selectOption('SARIF report of code');
    expect(await scan.getByLabel('Repository').inputValue()).toBe('https://github.com/acme/till');
  });

  test('what is not recognised asks, and a wrong word for it is refused in words', async () => {
    const page = await openUploads({ expects: /400/ });
    await choose(page, fileOf('notes.json', { hello: 'world' }));
    const notes = page.getByRole('article', { name: 'notes.json' });
    await notes.getByText('Its content was not recognised. Say what it is.').waitFor();
    await notes.getByLabel('It is a').selectOption('SARIF report of code');
    await notes.getByLabel('Repository').waitFor();
    await notes.getByRole('button', { name: 'Send notes.json' }).click();
    await notes.getByText(/is not a SARIF 2\.1\.0 report/i).waitFor();
    await notes.getByRole('button', { name: 'Take notes.json off the list' }).click();
    await notes.waitFor({ state: 'detached' });
  });

  test('a lock file names the command that reads it', async () => {
    const page = await openUploads();
    await choose(page, fileOf('package-lock.json', { lockfileVersion: 3 }));
    const lock = page.getByRole('article', { name: 'package-lock.json' });
    await lock.getByText(/^npx --yes --package \S+\/download\/postern\.tgz reach sync \. --project prj_/).waitFor();
    expect(await lock.getByRole('button', { name: /^Send/ }).count()).toBe(0);
  });

  test('a file that gzip has packed is looked into', async () => {
    const page = await openUploads();
    const packed = { ...fileOf('bom.json.gz', ''), buffer: gzipSync(JSON.stringify(sbom)) };
    await choose(page, packed);
    const bom = page.getByRole('article', { name: 'bom.json.gz' });
    expect(await bom.getByLabel('It is a').inputValue()).toBe('cyclonedx');
    await bom.getByRole('button', { name: 'Send bom.json.gz' }).click();
    await bom.getByText('Packages of sbom:till: 1 added').waitFor();
  });

  test('files are taken by dropping them', async () => {
    const page = await openUploads();
    const transfer = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['{"runs": []}'], 'dropped.sarif'));
      return transfer;
    })()`);
    await page.getByRole('region', { name: 'Choose files' }).dispatchEvent('drop', { dataTransfer: transfer });
    await page.getByRole('article', { name: 'dropped.sarif' }).getByLabel('Repository').waitFor();
  });

  test('removing most of a source asks once more', async () => {
    const page = await openUploads({ expects: /409/ });
    const names = Array.from({ length: 30 }, (_, at) => component(`package-${at}`, '1.0.0'));
    await choose(page, fileOf('all.json', { ...sbom, components: names }));
    await page.getByRole('button', { name: 'Send all.json' }).click();
    await page.getByText('Packages of sbom:till: 30 added').waitFor();
    await choose(page, fileOf('few.json', { ...sbom, components: names.slice(0, 2) }));
    const few = page.getByRole('article', { name: 'few.json' });
    await few.getByRole('button', { name: 'Send few.json' }).click();
    await few.getByLabel('Remove these packages all the same').check();
    await few.getByRole('button', { name: 'Send again few.json' }).click();
    await few.getByText('0 added, 0 updated, 28 removed, 2 unchanged').waitFor();
  });

  test('the Free plan is told before it is refused', async () => {
    const page = await openUploads({ plan: 'Free', expects: /403/ });
    await choose(page, fileOf('usage.json', sampleUsageReport));
    const usage = page.getByRole('article', { name: 'usage.json' });
    await usage.getByText('Verdicts need a Business or Enterprise subscription', { exact: false }).waitFor();
    await usage.getByRole('button', { name: 'Send usage.json' }).click();
    await usage.getByRole('alert').getByText('Not in your plan').waitFor();
    await expectAccessible(page);
  });

  test('fit a narrow screen', async () => {
    const page = await openUploads({ width: 380 });
    await choose(page, fileOf('a-rather-long-name-of-a-report-that-nobody-would-type.sarif.json', sarifReports.first));
    await page.getByLabel('Repository').waitFor();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  });
});
