import { api, client } from '../../../api/client.js';
import { useChange } from '../../../api/use-change.js';
import { FormDialog } from '../../../components/dialog/form-dialog.js';
import { TextField, textOf } from '../../../components/field/field.js';

interface AddTargetProps {
  readonly projectId: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

export function AddTarget({ projectId, open, onClose }: AddTargetProps) {
  const add = useChange({
    send: client.dast.addTarget.mutate,
    done: ({ name }) => `${name} is a target now.`,
    onDone: onClose,
    stale: [api.dast.pathFilter()],
  });
  const send = (values: FormData) => {
    const environment = textOf(values, 'environment').trim();
    add.mutate({
      project_id: projectId,
      url: textOf(values, 'url').trim(),
      name: textOf(values, 'name'),
      ...(environment !== '' && { environment }),
    });
  };
  return (
    <FormDialog
      {...{ open, onClose, onSend: send, change: add }}
      title="Add a target"
      description="Add only sites that you may attack."
      action="Add"
    >
      <TextField name="url" label="Address" type="url" placeholder="https://shop.example.com" required />
      <TextField name="name" label="Name" required maxLength={200} />
      <TextField name="environment" label="Environment" hint="Optional, such as production." maxLength={100} />
    </FormDialog>
  );
}
