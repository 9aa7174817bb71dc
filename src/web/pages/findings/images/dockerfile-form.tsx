import { type ChangeEvent, useState } from 'react';
import { api, client } from '../../../api/client.js';
import { useChange } from '../../../api/use-change.js';
import { FormDialog } from '../../../components/dialog/form-dialog.js';
import { TextAreaField, TextField, textOf } from '../../../components/field/field.js';

interface DockerfileFormProps {
  readonly projectId: string;
  readonly imageId: string;
  readonly path: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Takes the Dockerfile of an image, so that advice can name the line to change. */
export function DockerfileForm({ projectId, imageId, path, open, onClose }: DockerfileFormProps) {
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
