import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { kevCatalogue, ndjson, osvRecord, zipOf } from '../../service/feeds/feed-files.js';
import { result, run, sarif } from '../../service/scanners/sarif/sarif-report.js';
import { trivyReport, vulnerability } from '../../service/scanners/trivy/trivy-report.js';
import { alert, site, zap } from '../../service/scanners/zap/zap-report.js';

type Files = Readonly<Record<string, string | Buffer>>;

/** The files that commands of docs/operating.md name. */
export const feedFiles: Files = {
  'all.zip': zipOf([{ name: 'TEST-1.json', content: JSON.stringify(osvRecord({ id: 'TEST-1' })) }]),
  'more.ndjson': ndjson([osvRecord({ id: 'TEST-2' })]),
  'epss_scores-current.csv.gz': gzipSync(
    '#model_version:v2025.03.14,score_date:2025-08-15T12:55:00Z\ncve,epss,percentile\nCVE-2021-44228,0.94,0.99\n',
  ),
  'known_exploited_vulnerabilities.json': kevCatalogue([
    { cveID: 'CVE-2021-44228', dateAdded: '2021-12-10', knownRansomwareCampaignUse: 'Known' },
  ]),
  'symbols.ndjson': ndjson([
    {
      id: 'GHSA-2222-2222-2222',
      aliases: ['CVE-2099-1000'],
      affected: [{ package: { ecosystem: 'npm', name: 'a-package' }, symbols: ['run'] }],
      evidence: { source: 'advisory_text+fix_commit', confidence: 'high' },
    },
  ]),
};

/** A project with a lock file, source, and the reports that commands of docs/scanners-in-ci.md name. */
export const projectFiles: Files = {
  'package.json': '{"main": "index.js", "dependencies": {"lodash": "4.17.11"}}',
  'index.js': "import { merge } from 'lodash';\nmerge({}, {});\n",
  'package-lock.json': JSON.stringify({
    lockfileVersion: 3,
    packages: { '': { dependencies: { lodash: '4.17.11' } }, 'node_modules/lodash': { version: '4.17.11' } },
  }),
  'bom.json': JSON.stringify({
    ...{ bomFormat: 'CycloneDX', specVersion: '1.6', metadata: { component: { type: 'application', name: 'shop' } } },
    components: [{ type: 'library', name: 'lodash', version: '4.17.11', purl: 'pkg:npm/lodash@4.17.11' }],
  }),
  'report.sarif': JSON.stringify(sarif(run([result(1), result(2)]))),
  'zap.json': JSON.stringify(zap(site('https://shop.example.com', alert('10001')))),
  'image.json': JSON.stringify(trivyReport('acme/shop:1', [vulnerability('CVE-2023-4911', 'libc6')])),
};

export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content);
}
