import * as z from 'zod';
import type { uploadedReport } from '../../procedures/findings.js';
import { procedures } from '../../procedures/index.js';
import { parseUsage, remoteServiceFrom, UsageError } from '../remote/environment.js';
import { call, type RemoteService } from '../remote/remote-service.js';
import { RequestRejected } from '../remote/request-rejected.js';
import { ReportFileError, readJsonOrXmlReport, readJsonReport } from './report-file.js';
import { reportKinds } from './report-kinds.js';

const [sarif, zap, image] = [
  procedures.sast.uploadReport,
  procedures.dast.uploadReport,
  procedures.containers.uploadReport,
];

const options = z.object({
  kind: z.enum(reportKinds),
  file: z.string().min(1),
  project: sarif.input.shape.project_id,
  repo: sarif.input.shape.source_repo.optional(),
  mode: zap.input.shape.mode.unwrap().optional(),
  scanJob: zap.input.shape.server_scan_job_id,
  image: image.input.shape.image,
});

type Options = z.output<typeof options>;

/** How the fields of the options are called on the command line. */
const optionNames: Readonly<Record<string, string>> = {
  kind: 'KIND',
  file: 'FILE',
  project: '--project',
  repo: '--repo',
  mode: '--mode',
  scanJob: '--scan-job',
  image: '--image',
};

/** Which options say something of which kind of report. */
const kindsOf: Readonly<Record<'repo' | 'mode' | 'scanJob' | 'image', readonly Options['kind'][]>> = {
  repo: ['sarif'],
  mode: ['zap'],
  scanJob: ['zap'],
  image: ['trivy', 'grype'],
};

/** What `reach upload` did, as `--json` prints it. */
export interface Uploaded {
  readonly project_id: string;
  readonly file: string;
  /** Null where nothing was uploaded. */
  readonly result: z.output<typeof uploadedReport> | null;
  readonly error: { readonly message: string; readonly advice: string | null; readonly status: number | null } | null;
}

/**
 * Uploads one scanner's report to a project.
 *
 * @param given options, not yet checked: what `options` lists
 * @throws UsageError for options or an environment that make no sense
 */
export async function upload(given: unknown, env: NodeJS.ProcessEnv, userAgent: string): Promise<Uploaded> {
  const read = parseUsage(options, given, optionNames);
  for (const [name, kinds] of Object.entries(kindsOf)) {
    const value = new Map(Object.entries(read)).get(name);
    if (value !== undefined && !kinds.includes(read.kind)) {
      throw new UsageError(`${optionNames[name]} is for ${kinds.join(' and ')} reports, not for ${read.kind}`);
    }
  }
  const service = remoteServiceFrom(env, userAgent);
  const done = { project_id: read.project, file: read.file };
  try {
    return { ...done, result: await send(service, read), error: null };
  } catch (error) {
    if (error instanceof ReportFileError) {
      return { ...done, result: null, error: { message: error.message, advice: null, status: null } };
    }
    if (error instanceof RequestRejected) {
      return { ...done, result: null, error: { message: error.message, advice: error.advice, status: error.status } };
    }
    throw error;
  }
}

async function send(service: RemoteService, { kind, file, project, ...given }: Options) {
  switch (kind) {
    case 'sarif': {
      if (given.repo === undefined) throw new UsageError('sarif reports need --repo, the repository they are of');
      const report = await readJsonReport(file);
      return call(service, sarif, { project_id: project, source_repo: given.repo, report });
    }
    case 'zap': {
      const { mode, scanJob: server_scan_job_id } = given;
      const report = await readJsonOrXmlReport(file);
      return call(service, zap, { project_id: project, mode, server_scan_job_id, report });
    }
    case 'trivy':
    case 'grype':
      return call(service, image, { project_id: project, image: given.image, report: await readJsonReport(file) });
  }
}
