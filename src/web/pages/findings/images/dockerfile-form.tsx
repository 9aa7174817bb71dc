import { useMutation } from '@tanstack/react-query';
import { type ChangeEvent, useState } from 'react';
import { api, queryClient } from '../../../api/client.js';
import { Button } from '../../../components/button/button.js';
import { Modal } from '../../../components/dialog/dialog.js';
import { FormActions, SendForm, TextAreaField, TextField, textOf } from '../../../components/field/field.js';
import { toast } from '../../../components/toast/toast.js';

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
  const set = useMutation(
    api.containers.setDockerfile.mutationOptions({
      onSuccess: async () => {
        toast.done('The Dockerfile is known now.');
        onClose();
        await queryClient.invalidateQueries(api.containers.getBaseImageAdvice.pathFilter());
      },
    }),
  );
  const send = (values: FormData) =>
    set.mutate({ project_id: projectId, image_id: imageId, path: textOf(values, 'path'), text });
  const read = async (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    if (file !== undefined) setText(await file.text());
  };
  return (
    <Modal
      open={open}
      onClose={onClose}
      title="The image’s Dockerfile"
      description="It is kept, so that advice can name the FROM line to change."
    >
      <SendForm onSend={send} error={set.error}>
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
        <FormActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={set.isPending}>
            Keep it
          </Button>
        </FormActions>
      </SendForm>
    </Modal>
  );
}
