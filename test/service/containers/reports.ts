import { readFileSync } from 'node:fs';
import { dataFile } from '../../support/data.js';
import { type TestService, textAt } from '../../support/service.js';
import { newOrganisationWithProject } from '../projects/new-project.js';

type Json = Readonly<Record<string, unknown>>;

export const network = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'; // 9.8
export const moderate = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N'; // 6.1

/** A vulnerability as Trivy tells it. */
export function vulnerability(id: string, name: string, more: Json = {}): Json {
  return { VulnerabilityID: id, PkgName: name, InstalledVersion: '1.0.0', Severity: 'HIGH', ...more };
}

/** A report of Trivy on an image, with packages of the system and of npm. */
export function trivyReport(image: string, system: readonly Json[], npm: readonly Json[] = [], metadata: Json = {}) {
  return {
    SchemaVersion: 2,
    ArtifactName: image,
    ArtifactType: 'container_image',
    Metadata: { OS: { Family: 'debian', Name: '12.5' }, RepoTags: [image], ...metadata },
    Results: [
      { Target: `${image} (debian 12.5)`, Class: 'os-pkgs', Type: 'debian', Vulnerabilities: system },
      { Target: 'Node.js', Class: 'lang-pkgs', Type: 'node-pkg', Vulnerabilities: npm },
    ],
  };
}

/** Diff ids that only their names tell apart. */
export function diffIds(...names: readonly string[]): string[] {
  return names.map((name) => `sha256:${Buffer.from(name).toString('hex').padEnd(64, '0')}`);
}

/** What Trivy tells of an image's layers; without history. */
export function layersOf(...names: readonly string[]): Json {
  return imageConfig(names);
}

/** The same, with history or environment. */
export function imageConfig(names: readonly string[], more: Json = {}): Json {
  return { ImageConfig: { rootfs: { type: 'layers', diff_ids: diffIds(...names) }, ...more } };
}

/** A match as Grype tells it. */
export function grypeMatch(id: string, artifact: Json, more: Json = {}): Json {
  return {
    vulnerability: { id, severity: 'High', cvss: [], fix: { versions: [], state: 'unknown' }, ...more },
    relatedVulnerabilities: [],
    artifact: { version: '1.0.0', type: 'deb', locations: [], ...artifact },
  };
}

export function grypeReport(image: string, matches: readonly Json[], target: Json = {}) {
  return {
    matches,
    source: { type: 'image', target: { userInput: image, tags: [image], layers: [], ...target } },
    distro: { name: 'debian', version: '12' },
    descriptor: { name: 'grype', version: '0.92.0' },
  };
}

/** A real report. */
export function realReport(path: string): Json {
  const parsed: unknown = JSON.parse(readFileSync(dataFile(path), 'utf8'));
  if (typeof parsed !== 'object' || parsed === null) throw new TypeError(`${path} is no report`);
  return Object.fromEntries(Object.entries(parsed));
}

/** A project of an organisation of its own, whose images a test scans over HTTP. */
export async function newScannedProject(service: TestService) {
  const { organisation, projectId } = await newOrganisationWithProject(service);
  return inProject(service, organisation.writeKey, projectId, organisation);
}

export function inProject<Organisation>(
  service: TestService,
  key: string,
  projectId: string,
  organisation: Organisation,
) {
  const path = `/api/projects/${projectId}/containers`;
  const get = (rest: string) => service.call(key, 'GET', `${path}${rest}`);
  const upload = (report: unknown, image?: string) =>
    service.call(
      key,
      'POST',
      `${path}/reports${image === undefined ? '' : `?image=${encodeURIComponent(image)}`}`,
      report,
    );
  return {
    organisation,
    key,
    projectId,
    path,
    upload,
    get,
    /** Uploads what must be taken; answers the image's id. */
    async scan(report: unknown, image?: string): Promise<string> {
      const answer = await upload(report, image);
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
      return textAt(answer.body, 'image_id');
    },
    async items(rest: string): Promise<Record<string, unknown>[]> {
      const all: Record<string, unknown>[] = [];
      for (let page = 1; ; page += 1) {
        const { status, body } = await get(`${rest}${rest.includes('?') ? '&' : '?'}page=${page}&page_size=100`);
        if (status !== 200 || typeof body !== 'object' || body === null || !('items' in body)) {
          throw new Error(JSON.stringify(body));
        }
        if (!Array.isArray(body.items)) throw new TypeError('items is no list');
        all.push(...body.items);
        if (!('has_more' in body) || body.has_more !== true) return all;
      }
    },
    findings: () =>
      service.database.system((tx) =>
        tx.selectFrom('findings').selectAll().where('project_id', '=', projectId).orderBy('rule_id').execute(),
      ),
  };
}
