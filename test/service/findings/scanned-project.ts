import { readFileSync } from 'node:fs';
import type * as z from 'zod';
import { dast } from '../../../src/procedures/dast.js';
import { sast } from '../../../src/procedures/sast.js';
import { dataFile } from '../../support/data.js';
import type { TestService } from '../../support/service.js';
import { newOrganisationWithProject } from '../projects/new-project.js';

type Uploaded = z.output<typeof sast.uploadReport.output>;

/** A real report. Some begin with a byte order mark, as no request body may. */
export function reportText(path: string): string {
  return readFileSync(dataFile(path), 'utf8').replace(/^\ufeff/, '');
}

/** A project of an organisation of its own, whose reports a test uploads over HTTP. */
export async function newScannedProject(service: TestService) {
  const { organisation, key, projectId } = await newOrganisationWithProject(service);
  const path = `/api/projects/${projectId}`;
  const call = (method: string, rest: string, body?: unknown, headers?: Record<string, string>) =>
    service.call(key, method, `${path}${rest}`, body, headers);
  const done = async (answer: ReturnType<typeof call>): Promise<Uploaded> => {
    const { status, body } = await answer;
    if (status !== 200) throw new Error(JSON.stringify(body));
    return sast.uploadReport.output.parse(body);
  };
  return {
    organisation,
    key,
    projectId,
    path,
    call,
    trySarif: (report: unknown, repo = 'https://example.com/shop') =>
      call('POST', `/sast/reports?source_repo=${encodeURIComponent(repo)}`, report),
    uploadSarif: (report: unknown, repo = 'https://example.com/shop') =>
      done(call('POST', `/sast/reports?source_repo=${encodeURIComponent(repo)}`, report)),
    tryZap: (report: unknown, query = '') => call('POST', `/dast/reports${query}`, report, mediaTypeOf(report)),
    uploadZap: (report: unknown, query = '') =>
      done(call('POST', `/dast/reports${query}`, report, mediaTypeOf(report))),
    async codeFindings(query = '') {
      const { body } = await call('GET', `/sast/findings?page_size=100${query}`);
      return sast.listFindings.output.parse(body);
    },
    async codeJobs() {
      const { body } = await call('GET', '/sast/scan-jobs');
      return sast.listScanJobs.output.parse(body);
    },
    async appFindings(query = '') {
      const { body } = await call('GET', `/dast/findings?page_size=100${query}`);
      return dast.listFindings.output.parse(body);
    },
    async appJobs() {
      const { body } = await call('GET', '/dast/scan-jobs');
      return dast.listScanJobs.output.parse(body);
    },
    audit: (action: string) =>
      service.database.system((tx) =>
        tx
          .selectFrom('audit_log')
          .select(['target_id', 'before', 'after'])
          .where('organisation_id', '=', organisation.id)
          .where('action', '=', action)
          .orderBy('id')
          .execute(),
      ),
  };
}

/** XML travels as XML. */
function mediaTypeOf(report: unknown): Record<string, string> {
  return typeof report === 'string' && report.trimStart().startsWith('<') ? { 'content-type': 'application/xml' } : {};
}
