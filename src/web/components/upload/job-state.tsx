import type { RouterOutputs } from '../../../client/index.js';
import { jobStateWords, uploadPhaseWords } from '../../words.js';
import { Tag } from '../badge/badge.js';
import styles from './upload.module.css';
import { UploadResult } from './upload-result.js';

export type UploadJob = RouterOutputs['uploads']['get'];

const looks = { queued: 'plain', running: 'warn', done: 'good', failed: 'danger' } as const;

export function JobTag({ state }: Pick<UploadJob, 'state'>) {
  return <Tag look={looks[state]}>{jobStateWords[state]}</Tag>;
}

/** How far a job is: its phase in words and a bar, then its result, or why it failed. */
export function JobState({ job }: { readonly job: UploadJob }) {
  if (job.state === 'done') return <UploadResult answer={job.answer} />;
  if (job.state === 'failed') return <p className={styles.failed}>{problemText(job.problem)}</p>;
  const { phase, done, of } = job;
  return (
    <div className={styles.progress}>
      <span>{uploadPhaseWords[phase]}</span>
      <progress value={of === 0 ? undefined : done} max={Math.max(of, 1)} aria-label="Progress of the upload" />
    </div>
  );
}

/** Why an upload failed, in a sentence. */
export function problemText(problem: UploadJob['problem']): string {
  if (problem === null) return 'It failed, and no reason was kept.';
  const fields = problem.errors?.map(({ field, message }) => `${field} ${message}`).join('; ');
  const why = fields || problem.detail;
  return why === undefined || why === '' ? `${problem.title}.` : `${problem.title}: ${why}.`;
}
