import * as z from 'zod';
import { procedures } from '../../procedures/index.js';
import { formatCount } from '../../shared/text/number-text.js';
import { plainText } from '../../shared/text/plain-text.js';
import { parseUsage, remoteServiceFrom } from '../remote/environment.js';
import { type Failure, failureOf } from '../remote/failure.js';
import { call, type RemoteService } from '../remote/remote-service.js';
import { readJsonReport } from './report-file.js';

const { upload } = procedures.vex;

const options = z.strictObject({
  file: z.string().min(1),
  project: upload.input.shape.project_id,
  product: upload.input.shape.product,
});

/** What `reach upload vex` did, as `--json` prints it. */
export interface UploadedVex {
  readonly project_id: string;
  readonly file: string;
  /** Null where nothing was uploaded. */
  readonly result: z.output<typeof upload.output> | null;
  readonly error: Failure | null;
}

/**
 * Uploads a VEX document to a project.
 *
 * @param given options, not yet parsed: those of `options`
 * @throws UsageError for options or an environment that make no sense
 */
export async function uploadVex(
  given: unknown,
  env: NodeJS.ProcessEnv,
  userAgent: string,
  progress?: RemoteService['progress'],
): Promise<UploadedVex> {
  const { file, project: project_id, product } = parseUsage(options, given, { file: 'FILE' });
  const service = remoteServiceFrom(env, userAgent, progress);
  try {
    const document = await readJsonReport(file);
    return { project_id, file, result: await call(service, upload, { project_id, product, document }), error: null };
  } catch (error) {
    return { project_id, file, result: null, error: failureOf(error) };
  }
}

/** The result as people read it. */
export function uploadedVexText({ project_id, file, result }: UploadedVex): string {
  if (result === null) return '';
  const { proposals, receipt, duplicate } = result;
  const { rows, taken, merged, skipped, skipped_rows, left_out } = receipt;
  const kinds = left_out.map(({ kind, count }) => `${formatCount(count)} ${kind.replaceAll('_', ' ')}`);
  const unlisted = skipped - skipped_rows.length;
  return [
    `Uploaded ${plainText(file)} to project ${plainText(project_id)}${duplicate ? ', where it was already' : ''}:`,
    `  proposals: ${formatCount(proposals.created)} new, ${formatCount(proposals.unchanged)} known, ` +
      `${formatCount(proposals.superseded)} superseded`,
    `  statements: ${formatCount(rows)}, of which ${formatCount(taken)} taken, ${formatCount(merged)} merged, ` +
      `${formatCount(skipped)} skipped${kinds.length > 0 ? `; left out: ${kinds.join(', ')}` : ''}`,
    ...skipped_rows.map(({ pointer, reason }) => `  skipped ${plainText(pointer)}: ${plainText(reason)}`),
    ...(unlisted > 0 ? [`  and ${formatCount(unlisted)} more skipped`] : []),
    '',
  ].join('\n');
}
