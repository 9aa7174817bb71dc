import { counted } from '../number/number.js';
import { changeSentences, type Receipt, readResult, receiptSentence } from './result.js';
import styles from './upload.module.css';

/** What became of an upload: what it changed, and its receipt. */
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
