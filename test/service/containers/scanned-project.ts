import { readFileSync } from 'node:fs';
import { isLanded } from '../../../src/service/db/scope.js';
import { textAt } from '../../support/at.js';
import { dataFile } from '../../support/data.js';
import type { TestService } from '../../support/service.js';
import { newOrganisationWithProject } from '../projects/new-project.js';

type Json = Readonly<Record<string, unknown>>;

export const network = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'; // 9.8
export const moderate = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N'; // 6.1

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
        tx
          .selectFrom('findings')
          .selectAll()
          .where('project_id', '=', projectId)
          // Those that an upload has replaced are there until they are swept.
          .where(isLanded('findings'))
          .orderBy('rule_id')
          .execute(),
      ),
  };
}
