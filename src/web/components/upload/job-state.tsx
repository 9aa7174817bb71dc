import type { RouterOutputs } from '../../api/client.js';
import { jobStateWords, uploadPhaseWords } from '../../words.js';
import { Tag } from '../badge/badge.js';
import { counted } from '../format/format.js';
import { changeSentences, type Receipt, readResult, receiptSentence } from './result.js';
import styles from './upload.module.css';

type UploadJob = RouterOutputs['uploads']['get'];

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

export function problemText(problem: UploadJob['problem']): string {
  if (problem === null) return 'It failed, and no reason was kept.';
  const fields = problem.errors?.map(({ field, message }) => `${field} ${message}`).join('; ');
  const why = fields || problem.detail;
  return why === undefined || why === '' ? `${problem.title}.` : `${problem.title}: ${why}.`;
}

/** The result of an upload: its changes, and its receipt. */
export function UploadResult({ answer }: { readonly answer: unknown }) {
  const result = readResult(answer);
  if (result === null) return <p>It is done.</p>;
  return (
    <div className={styles.result}>
      {changeSentences(result).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {result.receipt !== undefined && <ReceiptOf receipt={result.receipt} />}
    </div>
  );
}

function ReceiptOf({ receipt }: { readonly receipt: Receipt }) {
  const { skipped, skipped_rows } = receipt;
  return (
    <>
      <p className={styles.quiet}>Receipt: {receiptSentence(receipt)}</p>
      {skipped > 0 && (
        <details>
          <summary>
            {counted(skipped, 'row')} could not be read
            {skipped > skipped_rows.length && `; the first ${skipped_rows.length}`}
          </summary>
          <ul className={styles.skipped}>
            {skipped_rows.map(({ pointer, reason }) => (
              <li key={pointer}>
                <code>{pointer}</code> {reason}
              </li>
            ))}
          </ul>
          <p>Nothing that such a row may be about counts as fixed by this upload.</p>
        </details>
      )}
    </>
  );
}
