import { writeFile } from 'node:fs/promises';
import * as z from 'zod';
import { exposure } from '../../procedures/vulnerability.js';
import { id } from '../../procedures/wire.js';
import { plainText } from '../../shared/text/plain-text.js';
import { type AnalyseOptions, type Analysis, analyse, EntryError } from '../analysis/analyse.js';
import type { WireReport } from '../analysis/site-evidence.js';
import { TreeError } from '../analysis/tree.js';
import { WorkspaceError } from '../analysis/workspaces.js';
import { LockfileError } from '../lockfiles/source.js';
import { parseUsage, serviceFrom, UsageError } from '../remote/environment.js';
import { Refused } from '../remote/refused.js';
import { failingBands } from './bands.js';
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
  failOn: z.enum(failingBands).optional(),
});

/** How the fields of the options are called on the command line. */
const optionNames: Readonly<Record<string, string>> = {
  folder: 'DIR',
  project: '--project',
  output: '--output',
  sarif: '--sarif',
  workspace: '--workspace',
  exposure: '--exposure',
  failOn: '--fail-on',
};

/** What `reach analyze` did, as far as it came. */
export interface Analyzed {
  readonly projectId: string | null;
  /** Null where the tree could not be analysed. */
  readonly report: WireReport | null;
  readonly faults: readonly string[];
  readonly upload: ReportUpload | null;
  readonly verdicts: VerdictList | null;
  readonly error: { readonly message: string; readonly advice: string | null; readonly status: number | null } | null;
}

/** What the work is done with. */
export interface Means {
  readonly env: NodeJS.ProcessEnv;
  readonly version: string;
  readonly progress: AnalyseOptions['progress'];
}

/**
 * Analyses a tree, keeps the report in a file if asked to, and with a project uploads it and reads what the verdicts are
 * now. What fails is told in `error`, with all that was done before.
 *
 * @param given options, not yet checked: a folder and entries, and what `options` lists
 * @throws UsageError for options or an environment that make no sense
 */
export async function analyze(given: unknown, { env, version, progress }: Means): Promise<Analyzed> {
  const { folder, project, output, sarif, entries, workspace, exposure, failOn } = parseUsage(
    options,
    given,
    optionNames,
  );
  const needsProject = Object.entries({ '--sarif': sarif, '--exposure': exposure, '--fail-on': failOn });
  const [lost] = needsProject.find(([, value]) => project === undefined && value !== undefined) ?? [];
  if (lost !== undefined) throw new UsageError(`${lost} is about the verdicts of a project: give --project too`);
  const service = project === undefined ? null : serviceFrom(env, `reach/${version}`);

  let done: Analyzed = {
    projectId: project ?? null,
    report: null,
    faults: [],
    upload: null,
    verdicts: null,
    error: null,
  };
  try {
    const { report, faults } = await analyseTree({ folder, entries, workspace: workspace ?? null, version, progress });
    done = { ...done, report, faults };
    if (output !== undefined) await write('--output', output, report);
    if (service === null || project === undefined) return done;
    progress('uploading the report');
    // Loaded when they are needed: the schemas of all procedures cost as much processor time as reading 200 files.
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
    return { ...done, error: toldError(error) };
  }
}

/**
 * Analyses a tree.
 *
 * @throws UsageError where the options do not fit it
 */
export async function analyseTree(options: AnalyseOptions): Promise<Analysis> {
  try {
    return await analyse(options);
  } catch (error) {
    if (error instanceof TreeError || error instanceof EntryError || error instanceof WorkspaceError) {
      throw new UsageError(plainText(error.message, 2000));
    }
    throw error;
  }
}

/** A file that could not be written; the advice is in the message. */
class WriteError extends Error {}

async function write(option: string, path: string, value: unknown): Promise<void> {
  try {
    await writeFile(path, `${JSON.stringify(value)}\n`);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new WriteError(`${option} ${path} cannot be written (${code}): give a file in a folder that exists`);
  }
}

/** What a user is told of a failure; a bug is none of those, and is thrown on. */
export function toldError(error: unknown): NonNullable<Analyzed['error']> {
  if (error instanceof Refused) return { message: error.message, advice: error.advice, status: error.status };
  if (error instanceof LockfileError || error instanceof WriteError) {
    return { message: plainText(error.message, 2000), advice: null, status: null };
  }
  throw error;
}
