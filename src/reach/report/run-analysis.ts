import * as z from 'zod';
import { exposure } from '../../procedures/vulnerability.js';
import { id } from '../../procedures/wire.js';
import { plainText } from '../../shared/text/plain-text.js';
import { type AnalyzeOptions, analyzeTree, EntryError, type TreeAnalysis } from '../analysis/analyze-tree.js';
import type { WireReport } from '../analysis/site-evidence.js';
import { TreeError } from '../analysis/tree.js';
import { WorkspaceError } from '../analysis/workspaces.js';
import { parseUsage, remoteServiceFrom, UsageError } from '../remote/environment.js';
import { type Failure, failureOf } from '../remote/failure.js';
import { failingBand } from './bands.js';
import { type LoadingOptions, loadingEvidence } from './loading-evidence.js';
import { checkOutputFile, type OutputFile, writeOutputFile } from './output-file.js';
import type { ReportUpload } from './report-upload.js';
import { sarifLog } from './sarif.js';
import { hasReadNothing } from './searched.js';
import type { VerdictList } from './verdicts.js';

const options = z.object({
  folder: z.string().min(1),
  project: id.optional(),
  output: z.string().min(1).optional(),
  sarif: z.string().min(1).optional(),
  entries: z.array(z.string().min(1)),
  workspace: z.string().min(1).optional(),
  deep: z.boolean().optional(),
  coverage: z.array(z.string().min(1)).optional(),
  exposure: exposure.optional(),
  failOn: failingBand.optional(),
});

/** What `reach analyze` did: all of it, or the part before an error. */
export interface AnalysisResult {
  readonly projectId: string | null;
  /** Null where the tree could not be analyzed. */
  readonly report: WireReport | null;
  readonly faults: readonly string[];
  /** The file that holds the report; null where none was asked for, or none was written. */
  readonly output: string | null;
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
  const service = project === undefined ? null : remoteServiceFrom(env, `reach/${version}`, progress);

  let done: AnalysisResult = {
    projectId: project ?? null,
    report: null,
    faults: [],
    output: null,
    upload: null,
    verdicts: null,
    error: null,
  };
  const outputFile: OutputFile | null = output === undefined ? null : { option: '--output', path: output };
  const sarifFile: OutputFile | null = sarif === undefined ? null : { option: '--sarif', path: sarif };
  try {
    for (const file of [outputFile, sarifFile]) if (file !== null) await checkOutputFile(file);
    const { report, faults } = await analyzeWithUsageErrors({ ...given, env, version, progress });
    done = { ...done, report, faults };
    if (outputFile !== null) {
      await writeOutputFile(outputFile, report);
      done = { ...done, output: outputFile.path };
    }
    if (failOn !== undefined && hasReadNothing(report)) return { ...done, error: nothingRead(given.folder) };
    if (service === null || project === undefined) return done;
    progress('uploading the report');
    // Loaded only here: the schemas of all procedures cost as much processor time as reading 200 files.
    const { awaitVerdicts, declareExposure, uploadReport } = await import('./report-upload.js');
    const { listVerdicts } = await import('./verdicts.js');
    const upload = await uploadReport(service, project, report);
    done = { ...done, upload };
    if (exposure !== undefined) await declareExposure(service, project, exposure);
    if (upload.verdicts.pending || (exposure !== undefined && alertsOf(upload) >= judgedAtOnce)) {
      const pending = !(await awaitVerdicts(service, project));
      done = { ...done, upload: { ...upload, verdicts: { ...upload.verdicts, pending } } };
    }
    progress('reading the verdicts');
    const verdicts = await listVerdicts(service, project);
    done = { ...done, verdicts };
    if (sarifFile !== null) await writeOutputFile(sarifFile, sarifLog(report, verdicts.verdicts, version));
    return done;
  } catch (error) {
    return { ...done, error: failureOf(error) };
  }
}

/** Another exposure changes all verdicts. The service judges so many alerts before it answers. */
const judgedAtOnce = 100;

function alertsOf({ verdicts: { created, updated, unchanged } }: ReportUpload): number {
  return created + updated + unchanged;
}

/**
 * Analyzes a tree.
 *
 * @throws UsageError where the options do not fit the tree
 * @throws FileError for a folder without recorded runs
 */
export async function analyzeWithUsageErrors(
  options: Omit<AnalyzeOptions, 'findLoaded'> & LoadingOptions,
): Promise<TreeAnalysis> {
  try {
    return await analyzeTree({ ...options, findLoaded: (read) => loadingEvidence(options, read) });
  } catch (error) {
    if (error instanceof TreeError || error instanceof EntryError || error instanceof WorkspaceError) {
      throw new UsageError(plainText(error.message, 2000));
    }
    throw error;
  }
}

/** A job in the wrong folder must not pass; it is not uploaded either, in place of a report that says something. */
function nothingRead(folder: string): Failure {
  return {
    message: `${plainText(folder)} has lock files, but no source file of their languages was read, so --fail-on has nothing to judge`,
    advice:
      'Is it the right folder? Nothing was sent. Without --fail-on the report is uploaded, with no package judged.',
    status: null,
  };
}
