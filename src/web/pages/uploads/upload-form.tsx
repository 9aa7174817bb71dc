import { isPosternError, type UploadPath } from '../../../client/index.js';
import { Button } from '../../components/button/button.js';
import { FormActions, SelectField, SendForm, textOf } from '../../components/field/field.js';
import { KindFields } from './kind-fields.js';
import { isKind, type Kind, kindNames, kinds } from './kinds.js';
import styles from './uploads.module.css';
import type { Sending } from './use-sending.js';

interface UploadFormProps {
  /** Null: not recognised, and not chosen yet. */
  readonly kind: Kind | null;
  readonly onKind: (kind: Kind | null) => void;
  readonly fileName: string;
  readonly sending: Sending;
  readonly onSend: (path: UploadPath, input: Readonly<Record<string, string>>) => void;
}

/** What the file is, and what its procedure asks besides it. What was typed stays when sending fails. */
export function UploadForm({ kind, onKind, fileName, sending, onSend }: UploadFormProps) {
  const { isPending, error, progress } = sending;
  const removesMost = isPosternError(error) && error.data.reason === 'mostly_removed';
  const send = (values: FormData) => {
    if (kind === null || isPending) return;
    const { path, asks } = kinds[kind];
    const given = asks === null ? '' : textOf(values, asks).trim();
    onSend(path, {
      ...(asks !== null && given !== '' && { [asks]: given }),
      ...(textOf(values, 'force') === 'on' && { force: 'true' }),
    });
  };
  return (
    <SendForm onSend={send} error={error}>
      <div className={styles.fields}>
        <SelectField
          name="kind"
          label="It is a"
          value={kind ?? ''}
          required
          onChange={({ target: { value } }) => onKind(isKind(value) ? value : null)}
        >
          <option value="">…</option>
          {kindNames.map((name) => (
            <option key={name} value={name}>
              {kinds[name].word}
            </option>
          ))}
        </SelectField>
        {kind !== null && <KindFields kind={kind} />}
      </div>
      {removesMost && (
        <label className={styles.force}>
          <input type="checkbox" name="force" /> Remove these packages all the same
        </label>
      )}
      {isPending && (
        <div role="status" className={styles.sending}>
          {progress === null ? 'Waiting for its turn' : progress < 1 ? 'Sending' : 'Sent; it is being read'}
          <progress
            {...(progress !== null && progress < 1 && { value: progress })}
            aria-label={`Sending ${fileName}`}
          />
        </div>
      )}
      <FormActions>
        <Button type="submit" look="primary" busy={isPending}>
          {error === null ? 'Send' : 'Send again'} <span className="visually-hidden">{fileName}</span>
        </Button>
      </FormActions>
    </SendForm>
  );
}
