/** Small reports in the form that scanners give them, one finding each. `mark` is in their texts. */
export function reportsWith(mark: string) {
  const layer = `sha256:${'1'.repeat(64)}`;
  return {
    sarif: sarifOf([`Flaw of ${mark}`]),
    zap: {
      '@programName': 'ZAP',
      '@version': '2.16.1',
      site: [
        {
          '@name': 'https://shop.example.com',
          '@host': 'shop.example.com',
          '@port': '443',
          '@ssl': 'true',
          alerts: [
            {
              ...{ pluginid: '40012', alertRef: '40012', alert: `Alert of ${mark}`, name: `Alert of ${mark}` },
              ...{ riskcode: '3', confidence: '2', riskdesc: 'High (Medium)', desc: '<p>It echoes input.</p>' },
              instances: [{ uri: 'https://shop.example.com/a', method: 'GET', param: 'q', attack: '', evidence: '' }],
              ...{ count: '1', solution: '<p>Encode.</p>', reference: '', cweid: '79', wascid: '8', sourceid: '1' },
            },
          ],
        },
      ],
    },
    trivy: {
      SchemaVersion: 2,
      ArtifactName: 'acme/shop:1',
      ArtifactType: 'container_image',
      Metadata: { OS: { Family: 'debian', Name: '12.5' }, DiffIDs: [layer], RepoTags: ['acme/shop:1'] },
      Results: [
        {
          ...{ Target: 'debian', Class: 'os-pkgs', Type: 'debian' },
          Vulnerabilities: [
            {
              ...{ VulnerabilityID: 'CVE-1999-90002', PkgName: 'openssl', InstalledVersion: '1.0.0' },
              ...{ FixedVersion: '1.0.1', Status: 'fixed', Severity: 'HIGH', Title: `Hole of ${mark}` },
              Layer: { DiffID: layer },
            },
          ],
        },
      ],
    },
    grype: {
      source: {
        type: 'image',
        target: { userInput: 'acme/blog:1', tags: ['acme/blog:1'], layers: [{ digest: layer }] },
      },
      distro: { name: 'debian', version: '12' },
      matches: [
        {
          vulnerability: {
            ...{ id: 'CVE-1999-90003', severity: 'High', namespace: 'debian:distro:debian:12', urls: [] },
            ...{ description: `Gap of ${mark}`, cvss: [], fix: { versions: ['1.0.1'], state: 'fixed' } },
          },
          relatedVulnerabilities: [],
          matchDetails: [],
          artifact: {
            ...{ name: 'zlib', version: '1.0.0', type: 'deb', purl: 'pkg:deb/debian/zlib@1.0.0' },
            locations: [{ path: '/var/lib/dpkg/status', layerID: layer }],
          },
        },
      ],
    },
    cyclonedx: {
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: { component: { type: 'application', name: 'shop' } },
      components: [{ type: 'library', name: 'left', version: '1.0.0', purl: 'pkg:npm/left@1.0.0' }],
      vulnerabilities: [{ id: 'CVE-1999-90004', description: `Leak of ${mark}`, ratings: [{ severity: 'high' }] }],
    },
  };
}

export const sampleReports = reportsWith('nobody');

/** A SARIF report with one finding for each text. */
export function sarifOf(texts: readonly string[]) {
  const results = texts.map((text, place) => ({
    ...{ ruleId: `rule-${place % 20}`, level: 'warning', message: { text } },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: `src/file-${place}.ts` }, region: { startLine: place + 1 } },
      },
    ],
  }));
  return { version: '2.1.0', runs: [{ tool: { driver: { name: 'Prover', rules: [] } }, results }] };
}

/** The package that the program's own advisory is about. */
export const flawed = { name: 'prove-flawed', purl: 'pkg:npm/prove-flawed@1.0.0', cve: 'CVE-1999-90001' } as const;

/** An OSV record (https://ossf.github.io/osv-schema/): without one there would be no alerts. */
export const advisory = {
  schema_version: '1.6.0',
  id: 'GHSA-prov-e000-0001',
  modified: '2026-01-01T00:00:00Z',
  published: '2026-01-01T00:00:00Z',
  aliases: [flawed.cve],
  summary: 'A flaw to prove with',
  severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N' }],
  affected: [
    {
      package: { ecosystem: 'npm', name: flawed.name },
      ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '2.0.0' }] }],
    },
  ],
};

/** A usage report `reach/1` that says of each package URL that it is imported. */
export function dependencyReport(purls: readonly string[]) {
  const stats = { files: 1, bytes: 1, parse_errors: 0, skipped: 0, unresolved: 0, unknown_dynamic: 0, duration_ms: 1 };
  return {
    ...{ schema: 'reach/1', tool: { name: 'prove', version: '1' }, generated_at: '2026-01-01T00:00:00Z', commit: null },
    ...{ lockfiles: [], stats, entries: [], complete: true },
    dependencies: purls.map((purl) => ({
      ...{ purl, scope: 'runtime', direct: true, usage: 'imported' },
      counts: { prod: 1, reached: 0, test: 0, config: 0, script: 0, type: 0, mock: 0 },
      sites: [
        {
          ...{ file: 'src/a.ts', line: 1, column: 1, kind: 'import', role: 'prod', reached: false, type_only: false },
          ...{ subpath: null, symbols: [] },
        },
      ],
      ...{ symbols: [], symbols_complete: true, introduced_by: [], paths: [], evidence: 'import', truncated: false },
    })),
  };
}

/** An OpenVEX document about the flawed package. */
export function openVex(mark: string) {
  return {
    ...{ '@context': 'https://openvex.dev/ns/v0.2.0', '@id': `https://example.com/vex/${mark}`, author: mark },
    ...{ timestamp: '2026-01-02T03:04:05Z', version: 1 },
    statements: [
      {
        ...{ vulnerability: { name: flawed.cve }, products: [{ '@id': flawed.purl }], status: 'not_affected' },
        justification: 'vulnerable_code_not_in_execute_path',
      },
    ],
  };
}
