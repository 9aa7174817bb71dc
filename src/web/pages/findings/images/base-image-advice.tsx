import { useQuery } from '@tanstack/react-query';
import { type ChangeEvent, useState } from 'react';
import { api, client, type RouterOutputs, useChange } from '../../../api/client.js';
import { useMay } from '../../../api/session.js';
import { TierCounts } from '../../../components/badge/badge.js';
import { Button } from '../../../components/button/button.js';
import { CopyButton } from '../../../components/copy/copy-button.js';
import { type DialogProps, FormDialog } from '../../../components/dialog/dialog.js';
import { TextAreaField, TextField, textOf } from '../../../components/field/field.js';
import { Loaded, Skeleton } from '../../../components/page/page.js';
import styles from './images.module.css';

type Advice = RouterOutputs['containers']['getBaseImageAdvice'];

/** What the image stands on, better bases among those that were scanned, and the line of the Dockerfile to change. */
export function BaseImageAdvice({ projectId, imageId }: { readonly projectId: string; readonly imageId: string }) {
  const [isSetting, setIsSetting] = useState(false);
  const may = useMay(projectId);
  const query = useQuery(api.containers.getBaseImageAdvice.queryOptions({ project_id: projectId, image_id: imageId }));
  return (
    <Loaded query={query} skeleton={<Skeleton rows={3} />}>
      {(advice) => (
        <>
          <p>
            {advice.base === null ? (
              'The base image is not known.'
            ) : (
              <>
                It stands on <code>{advice.base.ref}</code>, known from {advice.base.known_from}.
              </>
            )}
          </p>
          <Alternatives alternatives={advice.alternatives} />
          {advice.dockerfile !== null && <FromLine {...advice.dockerfile} />}
          {advice.note !== null && <p className={styles.quiet}>{advice.note}</p>}
          {may('containers.setDockerfile') && (
            <div>
              <Button size="small" onClick={() => setIsSetting(true)}>
                {advice.dockerfile === null ? 'Give its Dockerfile' : 'Replace its Dockerfile'}
              </Button>
            </div>
          )}
          <DockerfileForm
            {...{ projectId, imageId }}
            path={advice.dockerfile?.file ?? 'Dockerfile'}
            open={isSetting}
            onClose={() => setIsSetting(false)}
          />
        </>
      )}
    </Loaded>
  );
}

function Alternatives({ alternatives }: Pick<Advice, 'alternatives'>) {
  if (alternatives.length === 0) return <p>No better base is known among the images that were scanned.</p>;
  return (
    <ul className={styles.alternatives} aria-label="Better base images, the best first">
      {alternatives.map(({ image_id, ref, delta, why }) => (
        <li key={image_id}>
          <span className={styles.row}>
            <code>{ref}</code>
            <TierCounts counts={delta} signed />
          </span>
          <span className={styles.quiet}>{why}</span>
        </li>
      ))}
    </ul>
  );
}

function FromLine({ file, line, stage, current, suggested }: NonNullable<Advice['dockerfile']>) {
  return (
    <>
      <p>
        {suggested === null ? 'The line that names the base:' : 'Change this line:'} <code>{`${file}:${line}`}</code>
        {stage !== null && `, stage ${stage}`}
      </p>
      <div className={styles.from}>
        {suggested === null ? (
          <span>{current}</span>
        ) : (
          <>
            <del>
              <span className="visually-hidden">now </span>- {current}
            </del>
            <ins>
              <span className="visually-hidden">better </span>+ {suggested}
            </ins>
          </>
        )}
      </div>
      {suggested !== null && (
        <div>
          <CopyButton text={suggested} label="the suggested FROM line" />
        </div>
      )}
    </>
  );
}

interface DockerfileFormProps extends DialogProps {
  readonly projectId: string;
  readonly imageId: string;
  readonly path: string;
}

/** Takes the Dockerfile of an image, so that advice can name the line to change. */
function DockerfileForm({ projectId, imageId, path, open, onClose }: DockerfileFormProps) {
  const [text, setText] = useState('');
  const set = useChange({
    send: client.containers.setDockerfile.mutate,
    done: () => 'The Dockerfile is known now.',
    onDone: onClose,
    stale: [api.containers.getBaseImageAdvice.pathFilter()],
  });
  const send = (values: FormData) =>
    set.mutate({ project_id: projectId, image_id: imageId, path: textOf(values, 'path'), text });
  const read = async (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    if (file !== undefined) setText(await file.text());
  };
  return (
    <FormDialog
      {...{ open, onClose, onSend: send, change: set }}
      title="The image’s Dockerfile"
      description="It is kept, so that advice can name the FROM line to change."
      action="Keep it"
    >
      <TextField name="path" label="Path in the repository" defaultValue={path} required maxLength={1024} />
      <label>
        Read it from a file <input type="file" onChange={read} />
      </label>
      <TextAreaField
        name="text"
        label="Text"
        rows={8}
        required
        value={text}
        onChange={(event) => setText(event.target.value)}
        spellCheck={false}
      />
    </FormDialog>
  );
}
