import { writeFile } from 'node:fs/promises';
import * as z from 'zod';
import { exposure } from '../../procedures/vulnerability.js';
import { id } from '../../procedures/wire.js';
import { codeOfError } from '../../shared/errors/code-of-error.js';
import { plainText } from '../../shared/text/plain-text.js';
import { type AnalyzeOptions, analyzeTree, EntryError, type TreeAnalysis } from '../analysis/analyze-tree.js';
import type { WireReport } from '../analysis/site-evidence.js';
import { TreeError } from '../analysis/tree.js';
import { WorkspaceError } from '../analysis/workspaces.js';
import { FileError } from '../file-error.js';
import { parseUsage, remoteServiceFrom, UsageError } from '../remote/environment.js';
import { type Failure, failureOf } from '../remote/failure.js';
import { failingBand } from './bands.js';
import type { ReportUpload } from './report-upload.js';
import { sarifLog } from './sarif.js';
import type { VerdictList } from './verdicts.js';

const options = z.object({
  folder: z.string().min(1),
  project: id.optional(),
  output: z.string().min(1).optional(),
  sarif: z.string().min(1).optional(),
  entries: z.array(z.string().min(1)),
  workspace: z.string().min(1).optional(),
  exposure: exposure.optional(),
  failOn: failingBand.optional(),
});

/** What `reach analyze` did: all of it, or the part before an error. */
export interface AnalysisResult {
  readonly projectId: string | null;
  /** Null where the tree could not be analyzed. */
  readonly report: WireReport | null;
  readonly faults: readonly string[];
  readonly upload: ReportUpload | null;
  readonly verdicts: VerdictList | null;
  readonly error: Failure | null;
}

interface RunContext {
  readonly env: NodeJS.ProcessEnv;
  readonly version: string;
  readonly progress: AnalyzeOptions['progress'];
}

/**
 * Analyzes a tree and can write the report to a file. With a project, it uploads the report and reads the new verdicts. A
 * failure is reported in `error`, together with what was done before it.
 *
 * @param rawOptions the fields of `options`, not yet checked
 * @throws UsageError for options or an environment that are not valid
 */
export async function runAnalysis(
  rawOptions: unknown,
  { env, version, progress }: RunContext,
): Promise<AnalysisResult> {
  const { project, output, sarif, exposure, failOn, ...given } = parseUsage(options, rawOptions, { folder: 'DIR' });
  const needsProject = Object.entries({ '--sarif': sarif, '--exposure': exposure, '--fail-on': failOn });
  const [withoutProject] = needsProject.find(([, value]) => project === undefined && value !== undefined) ?? [];
  if (withoutProject !== undefined)
    throw new UsageError(`${withoutProject} is about the verdicts of a project: give --project too`);
  const service = project === undefined ? null : remoteServiceFrom(env, `reach/${version}`);

  let done: AnalysisResult = {
    projectId: project ?? null,
    report: null,
    faults: [],
    upload: null,
    verdicts: null,
    error: null,
  };
  try {
    const { report, faults } = await analyzeWithUsageErrors({ ...given, version, progress });
    done = { ...done, report, faults };
    if (output !== undefined) await write('--output', output, report);
    if (service === null || project === undefined) return done;
    progress('uploading the report');
    // Loaded only here: the schemas of all procedures cost as much processor time as reading 200 files.
    const { declareExposure, uploadReport } = await import('./report-upload.js');
    const { listVerdicts } = await import('./verdicts.js');
    done = { ...done, upload: await uploadReport(service, project, report) };
    if (exposure !== undefined) await declareExposure(service, project, exposure);
    progress('reading the verdicts');
    const verdicts = await listVerdicts(service, project);
    done = { ...done, verdicts };
    if (sarif !== undefined) await write('--sarif', sarif, sarifLog(report, verdicts.verdicts, version));
    return done;
  } catch (error) {
    return { ...done, error: failureOf(error) };
  }
}

/**
 * Analyzes a tree.
 *
 * @throws UsageError where the options do not fit the tree
 */
export async function analyzeWithUsageErrors(options: AnalyzeOptions): Promise<TreeAnalysis> {
  try {
    return await analyzeTree(options);
  } catch (error) {
    if (error instanceof TreeError || error instanceof EntryError || error instanceof WorkspaceError) {
      throw new UsageError(plainText(error.message, 2000));
    }
    throw error;
  }
}

async function write(option: string, path: string, value: unknown): Promise<void> {
  try {
    await writeFile(path, `${JSON.stringify(value)}\n`);
  } catch (error) {
    const code = codeOfError(error) ?? 'unknown error';
    throw new FileError(`${option} ${path} cannot be written (${code}): give a file in a folder that exists`);
  }
}
