/** A report as large as scanners write them. Each entry is a different finding, as long as those of the tool. */
export interface LargeReport {
  readonly entries: number;
  readonly bytes: Buffer<ArrayBuffer>;
  /** The same report without the entry in the middle. */
  readonly withoutOne: Buffer<ArrayBuffer>;
}

/** The form of a kind of report: the text before, between and after its entries, and the n-th entry. */
interface Form {
  readonly head: string;
  readonly separator: string;
  readonly tail: string;
  readonly entry: (n: number) => string;
}

/** A report of at most `size` bytes. */
export function largeReport({ head, separator, tail, entry }: Form, size: number): LargeReport {
  const entries: string[] = [];
  for (let bytes = head.length + tail.length; ; ) {
    const text = entry(entries.length);
    bytes += Buffer.byteLength(text) + separator.length;
    if (bytes > size) break;
    entries.push(text);
  }
  const whole = (parts: readonly string[]) => Buffer.from(`${head}${parts.join(separator)}${tail}`);
  return {
    entries: entries.length,
    bytes: whole(entries),
    withoutOne: whole(entries.toSpliced(entries.length >> 1, 1)),
  };
}

const words =
  'the value of this input reaches a call without having been checked against what the callee expects '.split(' ');

/** JSON as Python writes it: characters beyond ASCII are escaped, those beyond U+FFFF as a surrogate pair. */
function asciiJson(value: unknown): string {
  const escaping = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(/[^\0-\x7f]/g, escaping);
}

/** Some words, different ones for each number. */
function prose(n: number, count: number): string {
  return Array.from({ length: count }, (_, at) => words[(n * 7 + at * (1 + (n % 5))) % words.length]).join(' ');
}

function hex(n: number, digits: number): string {
  return (BigInt(n + 1) * 0x9e3779b97f4a7c15n).toString(16).padStart(16, '0').repeat(8).slice(0, digits);
}

const sarifRules = Array.from({ length: 400 }, (_, n) => ({
  id: `javascript.lang.rule-${n}`,
  name: `Rule${n}`,
  shortDescription: { text: `Rule ${n}: ${prose(n, 8)}` },
  fullDescription: { text: prose(n, 60) },
  helpUri: `https://rules.example.com/rule-${n}`,
  defaultConfiguration: { level: ['error', 'warning', 'note'][n % 3] },
  properties: { tags: [`CWE-${20 + n}: ${prose(n, 4)}`, 'security'], 'security-severity': `${(n % 100) / 10}` },
}));

/** As CodeQL and Semgrep write it: a snippet, its context, a fingerprint. */
const sarif: Form = {
  head:
    `{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":{"driver":` +
    `${JSON.stringify({ name: 'Checker', semanticVersion: '1.2.3', rules: sarifRules })}},"results":[`,
  separator: ',\n',
  tail: ']}]}',
  entry: (n) =>
    asciiJson({
      ruleId: `javascript.lang.rule-${n % 400}`,
      ruleIndex: n % 400,
      level: ['error', 'warning', 'note'][n % 3],
      message: { text: `${prose(n, 25)} in line ${n}` },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: `src/part-${n % 97}/module-${n % 4_001}.ts`, uriBaseId: '%SRCROOT%' },
            region: {
              ...{ startLine: 1 + (n % 900), startColumn: 5, endLine: 2 + (n % 900), endColumn: 40 },
              snippet: { text: `  const value${n} = await call("${hex(n, 24)}");\n  return value${n};` },
            },
            contextRegion: {
              ...{ startLine: n % 900, endLine: 4 + (n % 900) },
              snippet: { text: `function f${n}() {\n  // ${prose(n, 20)} 🚀\n  const value${n} = await call();\n}` },
            },
          },
        },
      ],
      partialFingerprints: { 'primaryLocationLineHash/v1': hex(n, 40), 'matchBasedId/v1': hex(n + 1, 64) },
      properties: { precision: 'high', tags: ['security'] },
    }),
};

const zapRequest = 'GET / HTTP/1.1\r\nHost: shop.example.com\r\nUser-Agent: Mozilla/5.0\r\n\r\n';

const zapAlert = (n: number) => ({
  pluginid: `${10_000 + n}`,
  alertRef: `${10_000 + n}-${n % 3}`,
  alert: `Alert ${n}`,
  name: `Alert ${n}: ${prose(n, 5)}`,
  riskcode: `${n % 4}`,
  confidence: `${1 + (n % 3)}`,
  riskdesc: 'Medium (High)',
  desc: `<p>${prose(n, 60)}</p>`,
  instances: Array.from({ length: 24 }, (_, at) => ({
    uri: `https://shop.example.com/part-${n}/page-${at}?id=${hex(n, 12)}`,
    method: 'GET',
    param: `parameter-${at}`,
    attack: '',
    evidence: `<form action="/search?${at}">`,
    'request-header': zapRequest,
  })),
  count: '24',
  solution: `<p>${prose(n, 40)}</p><p>${prose(n + 1, 40)}</p>`,
  otherinfo: `<p>${prose(n, 20)}</p>`,
  reference: `<p>https://rules.example.com/${n}</p>`,
  cweid: `${20 + (n % 900)}`,
  wascid: '15',
  sourceid: '3',
});

const zapSite = { '@name': 'https://shop.example.com', '@host': 'shop.example.com', '@port': '443', '@ssl': 'true' };

const zapJson: Form = {
  head: `{"@programName":"ZAP","@version":"2.16.1","site":[${JSON.stringify(zapSite).slice(0, -1)},"alerts":[`,
  separator: ',\n',
  tail: ']}]}',
  entry: (n) => JSON.stringify(zapAlert(n)),
};

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function elements(fields: object): string {
  return Object.entries(fields)
    .map(([name, value]) => `<${name}>${escaped(String(value))}</${name}>\n`)
    .join('');
}

const zapXml: Form = {
  head:
    '<?xml version="1.0"?>\n<OWASPZAPReport programName="ZAP" version="2.16.1">\n' +
    '<site name="https://shop.example.com" host="shop.example.com" port="443" ssl="true"><alerts>\n',
  separator: '\n',
  tail: '</alerts></site></OWASPZAPReport>',
  entry(n) {
    const { instances, ...fields } = zapAlert(n);
    const fieldsOf = instances.map(({ 'request-header': requestheader, ...each }) =>
      elements({ ...each, requestheader }),
    );
    return `<alertitem>\n${elements(fields)}<instances>${fieldsOf.map((each) => `<instance>${each}</instance>`).join('')}</instances></alertitem>`;
  },
};

const references = (n: number) => Array.from({ length: 12 }, (_, at) => `https://advisories.example.com/${n}/${at}`);
const vector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N';
const image = 'registry.example.com/shop:1.0';
const layers = Array.from({ length: 12 }, (_, n) => `sha256:${hex(n, 64)}`);

const trivyConfig = {
  ArtifactName: image,
  ArtifactType: 'container_image',
  Metadata: {
    OS: { Family: 'debian', Name: '12.5' },
    RepoTags: [image],
    DiffIDs: layers,
    ImageConfig: { rootfs: { diff_ids: layers } },
  },
};

const trivy: Form = {
  head:
    `{"SchemaVersion":2,${JSON.stringify(trivyConfig).slice(1, -1)},"Results":[{"Target":"debian","Class":"os-pkgs",` +
    '"Type":"debian","Vulnerabilities":[',
  separator: ',\n',
  tail: ']}]}',
  entry: (n) =>
    JSON.stringify({
      VulnerabilityID: `CVE-2024-${10_000 + n}`,
      PkgID: `library-${n % 3_001}@1.${n % 50}.0`,
      PkgName: `library-${n % 3_001}`,
      PkgIdentifier: { PURL: `pkg:deb/debian/library-${n % 3_001}@1.${n % 50}.0?arch=amd64`, UID: hex(n, 16) },
      InstalledVersion: `1.${n % 50}.0`,
      FixedVersion: `1.${n % 50}.1`,
      Status: 'fixed',
      Layer: { TopN: layers[n % 12], DiffID: layers[n % 12] },
      SeveritySource: 'nvd',
      PrimaryURL: `https://advisories.example.com/${n}`,
      DataSource: { ID: 'debian', Name: 'Debian Security Tracker', URL: 'https://tracker.example.com' },
      Title: `library-${n % 3_001}: ${prose(n, 10)}`,
      Description: prose(n, 120),
      Severity: ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'][n % 4],
      CweIDs: [`CWE-${20 + (n % 900)}`],
      VendorSeverity: { nvd: 3, redhat: 2 },
      CVSS: { nvd: { V3Vector: vector, V3Score: 9.1 }, redhat: { V3Vector: vector, V3Score: 9.1 } },
      References: references(n),
      PublishedDate: '2024-01-01T00:00:00Z',
      LastModifiedDate: '2024-01-02T00:00:00Z',
    }),
};

const grypeSource = {
  type: 'image',
  target: { userInput: image, tags: [image], layers: layers.map((digest) => ({ digest, size: 1 })) },
};

const grype: Form = {
  head: `{"source":${JSON.stringify(grypeSource)},"distro":{"name":"debian","version":"12"},"matches":[`,
  separator: ',\n',
  tail: ']}',
  entry(n) {
    const [name, version] = [`library-${n % 3_001}`, `1.${n % 50}.0`];
    const cvss = [{ source: 'nvd', version: '3.1', vector, metrics: { baseScore: 9.1, exploitabilityScore: 3.9 } }];
    const known = { dataSource: `https://advisories.example.com/${n}`, severity: 'High', urls: references(n) };
    return JSON.stringify({
      vulnerability: {
        ...{ id: `CVE-2024-${10_000 + n}`, ...known, namespace: 'debian:distro:debian:12', description: prose(n, 80) },
        ...{ cvss, fix: { versions: [`1.${n % 50}.1`], state: 'fixed' }, advisories: [] },
      },
      relatedVulnerabilities: [
        { id: `CVE-2024-${10_000 + n}`, ...known, namespace: 'nvd:cpe', description: prose(n, 80), cvss },
      ],
      matchDetails: [
        { type: 'exact-direct-match', matcher: 'dpkg-matcher', found: { versionConstraint: '< 2 (deb)' } },
      ],
      artifact: {
        ...{ id: hex(n, 16), name, version, type: 'deb', purl: `pkg:deb/debian/${name}@${version}?arch=amd64` },
        locations: [
          { path: '/var/lib/dpkg/status', layerID: layers[n % 12] },
          { path: `/usr/share/doc/${name}/copyright`, layerID: layers[n % 12] },
        ],
        licenses: ['MIT'],
        cpes: [`cpe:2.3:a:${name}:${name}:${version}:*:*:*:*:*:*:*`],
      },
    });
  },
};

const cyclonedx: Form = {
  head: '{"bomFormat":"CycloneDX","specVersion":"1.6","metadata":{"component":{"type":"application","name":"shop"}},"components":[',
  separator: ',\n',
  tail: ']}',
  entry: (n) =>
    JSON.stringify({
      'bom-ref': `pkg:npm/library-${n}@1.${n % 50}.0`,
      type: 'library',
      name: `library-${n}`,
      version: `1.${n % 50}.0`,
      description: prose(n, 20),
      purl: `pkg:npm/library-${n}@1.${n % 50}.0`,
      hashes: [{ alg: 'SHA-512', content: hex(n, 128) }],
      licenses: [{ license: { id: 'MIT' } }],
      externalReferences: [
        { type: 'vcs', url: `git+https://git.example.com/library-${n}.git` },
        { type: 'website', url: `https://libraries.example.com/library-${n}#readme` },
      ],
      properties: [{ name: 'package:path', value: `node_modules/library-${n}` }],
    }),
};

const stats = { files: 1, bytes: 1, parse_errors: 0, skipped: 0, unresolved: 0, unknown_dynamic: 0, duration_ms: 1 };
const usageHead = {
  ...{ schema: 'reach/1', tool: { name: 'bench', version: '1' }, generated_at: '2026-01-01T00:00:00Z', commit: null },
  ...{ lockfiles: [], stats, entries: [], complete: true },
};

const usage: Form = {
  head: `${JSON.stringify(usageHead).slice(0, -1)},"dependencies":[`,
  separator: ',\n',
  tail: ']}',
  entry: (n) =>
    JSON.stringify({
      ...{ purl: `pkg:npm/package-${n}@1.${n % 50}.0`, scope: 'runtime', direct: false, usage: 'imported' },
      counts: { prod: 1, reached: 0, test: 0, config: 0, script: 0, type: 0, mock: 0 },
      sites: [
        {
          ...{
            file: `src/module-${n}.ts`,
            line: 1 + (n % 900),
            column: 1,
            kind: 'import',
            role: 'prod',
            reached: false,
          },
          ...{ type_only: false, subpath: null, symbols: ['merge'] },
        },
      ],
      ...{
        symbols: ['merge'],
        symbols_complete: true,
        introduced_by: [],
        paths: [],
        evidence: 'import',
        truncated: false,
      },
    }),
};

const megabyte = 1024 * 1024;

/** The kinds of report: form, path of the upload below the project, and limit of the service in bytes. */
export const reportKinds: readonly {
  readonly name: string;
  readonly form: Form;
  readonly path: string;
  readonly type: string;
  readonly maxBytes: number;
}[] = [
  { name: 'SARIF', form: sarif, path: 'sast/reports?source_repo=https://git.example.com/shop', ...json(64) },
  { name: 'ZAP JSON', form: zapJson, path: 'dast/reports?mode=full', ...json(64) },
  { name: 'ZAP XML', form: zapXml, path: 'dast/reports?mode=full', type: 'application/xml', maxBytes: 64 * megabyte },
  { name: 'Trivy', form: trivy, path: 'containers/reports', ...json(64) },
  { name: 'Grype', form: grype, path: 'containers/reports', ...json(64) },
  { name: 'CycloneDX', form: cyclonedx, path: 'tech-stack/sbom', ...json(64) },
  { name: 'usage', form: usage, path: 'reachability/usage-reports', ...json(8) },
];

function json(megabytes: number) {
  return { type: 'application/json', maxBytes: megabytes * megabyte };
}
