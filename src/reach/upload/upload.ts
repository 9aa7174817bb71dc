import * as z from 'zod';
import type { reportAnswer } from '../../procedures/findings.js';
import { procedures } from '../../procedures/index.js';
import { reportUploads, scannerFormats } from '../../procedures/scanner-formats.js';
import { wordList } from '../../shared/text/number-text.js';
import { optionName, parseUsage, remoteServiceFrom, UsageError } from '../remote/environment.js';
import { type Failure, failureOf } from '../remote/failure.js';
import { call, type RemoteService } from '../remote/remote-service.js';
import { readJsonOrXmlReport, readJsonReport } from './report-file.js';

const [code, app, image] = [
  procedures.sast.uploadReport,
  procedures.dast.uploadReport,
  procedures.containers.uploadReport,
];

/** A format by its id. */
const format = z.string().transform((kind, { issues }) => {
  const found = scannerFormats.find(({ id }) => id === kind);
  if (found !== undefined) return found;
  const ids = scannerFormats.map(({ id }) => id);
  issues.push({ code: 'custom', input: kind, message: `must be ${wordList(ids, 'or')}` });
  return z.NEVER;
});

const options = z.object({
  kind: format,
  file: z.string().min(1),
  project: code.input.shape.project_id,
  repo: code.input.shape.source_repo.optional(),
  mode: app.input.shape.mode.unwrap().optional(),
  scanJob: app.input.shape.server_scan_job_id,
  image: image.input.shape.image,
  complete: image.input.shape.complete,
});

type Options = z.output<typeof options>;

type ImageAnswer = z.output<typeof image.output>;

/** The service's answer; that to a report of containers names its images. */
export type UploadedResult = z.output<typeof reportAnswer> & Partial<Pick<ImageAnswer, 'image_id' | 'images'>>;

/** What `reach upload` did, as `--json` prints it. */
export interface Uploaded {
  readonly project_id: string;
  readonly file: string;
  /** Null where nothing was uploaded. */
  readonly result: UploadedResult | null;
  readonly error: Failure | null;
}

/**
 * Uploads one scanner's report to a project.
 *
 * @param given options, not yet parsed: those of `options`
 * @throws UsageError for options or an environment that make no sense
 */
export async function upload(
  given: unknown,
  env: NodeJS.ProcessEnv,
  userAgent: string,
  progress?: RemoteService['progress'],
): Promise<Uploaded> {
  const read = parseUsage(options, given, { kind: 'KIND', file: 'FILE' });
  checkOptions(read);
  const service = remoteServiceFrom(env, userAgent, progress);
  const done = { project_id: read.project, file: read.file };
  try {
    return { ...done, result: await send(service, read), error: null };
  } catch (error) {
    return { ...done, result: null, error: failureOf(error) };
  }
}

/** Rejects an option that only reports of another domain take. */
function checkOptions(read: Options): void {
  for (const [domain, { options }] of Object.entries(reportUploads)) {
    const stray = options.find((name) => domain !== read.kind.domain && read[name] !== undefined);
    if (stray === undefined) continue;
    const kinds = scannerFormats.filter((each) => each.domain === domain).map(({ id }) => id);
    throw new UsageError(`${optionName(stray)} is for ${wordList(kinds, 'and')} reports, not for ${read.kind.id}`);
  }
}

async function send(service: RemoteService, { kind, file, project, ...given }: Options) {
  switch (kind.domain) {
    case 'code': {
      if (given.repo === undefined) throw new UsageError(`${kind.id} reports need --repo, the repository they are of`);
      const report = await readJsonReport(file);
      return call(service, code, { project_id: project, source_repo: given.repo, report });
    }
    case 'running_app': {
      const { mode, scanJob: server_scan_job_id } = given;
      const report = await readJsonOrXmlReport(file);
      return call(service, app, { project_id: project, mode, server_scan_job_id, report });
    }
    case 'containers':
      return call(service, image, {
        project_id: project,
        image: given.image,
        complete: given.complete,
        report: await readJsonReport(file),
      });
  }
}
