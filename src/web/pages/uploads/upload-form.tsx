import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { isPosternError, type UploadPath } from '../../../client/index.js';
import { api } from '../../api/client.js';
import { useSession } from '../../api/session.js';
import { SelectField, SendForm, Submit, TextField, textOf } from '../../components/field/field.js';
import { scanModeWords } from '../../words.js';
import { isKind, type Kind, kindNames, kinds } from './sniff.js';
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
      <Submit busy={isPending}>
        {error === null ? 'Send' : 'Send again'} <span className="visually-hidden">{fileName}</span>
      </Submit>
    </SendForm>
  );
}

const route = getRouteApi('/frame/projects/$projectId/uploads');

/** The fields that a kind of file asks for. */
function KindFields({ kind }: { readonly kind: Kind }) {
  const { projectId } = route.useParams();
  const project = useQuery(api.projects.get.queryOptions({ project_id: projectId }));
  // The project's repository, which may be known later, until another one is typed.
  const [typedRepo, setTypedRepo] = useState<string | null>(null);
  const { plan } = useSession().organisation;
  const { path, asks } = kinds[kind];
  if (plan === 'Free' && (path === 'reachability.uploadUsageReport' || path === 'vex.upload')) {
    return <p>Verdicts need a Business or Enterprise subscription: on the Free plan it will be refused.</p>;
  }
  switch (asks) {
    case 'source_repo':
      return (
        <TextField
          name="source_repo"
          label="Repository"
          value={typedRepo ?? project.data?.repo ?? ''}
          onValueChange={setTypedRepo}
          placeholder="https://github.com/acme/shop"
          hint="Findings of this repository that the report no longer has are fixed."
          required
          maxLength={2048}
        />
      );
    case 'mode':
      return <SelectField name="mode" label="Kind of scan" defaultValue="baseline" options={scanModeWords} />;
    case 'image':
      return <TextField name="image" label="Image" hint="Only where the report names none." maxLength={1024} />;
    case 'source':
      return (
        <TextField
          name="source"
          label="Source"
          hint="Optional. The same source again replaces its packages; by default it is the document’s own name."
          maxLength={200}
        />
      );
    case 'product':
      return (
        <TextField
          name="product"
          label="Product"
          hint="Optional: the name by which the document calls this project."
          maxLength={1024}
        />
      );
    case null:
      return null;
  }
}
