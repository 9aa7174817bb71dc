import { useMutation } from '@tanstack/react-query';
import { api, queryClient } from '../../../api/client.js';
import { Button } from '../../../components/button/button.js';
import { Modal } from '../../../components/dialog/dialog.js';
import { FormActions, SendForm, TextField, textOf } from '../../../components/field/field.js';
import { toast } from '../../../components/toast/toast.js';

interface AddTargetProps {
  readonly projectId: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

export function AddTarget({ projectId, open, onClose }: AddTargetProps) {
  const add = useMutation(
    api.dast.addTarget.mutationOptions({
      onSuccess: async ({ name }) => {
        onClose();
        toast.done(`${name} is a target now.`);
        await queryClient.invalidateQueries(api.dast.pathFilter());
      },
    }),
  );
  const send = (values: FormData) => {
    const environment = textOf(values, 'environment').trim();
    add.mutate({
      project_id: projectId,
      url: textOf(values, 'url').trim(),
      name: textOf(values, 'name'),
      ...(environment !== '' && { environment }),
    });
  };
  const close = () => {
    add.reset();
    onClose();
  };
  return (
    <Modal open={open} onClose={close} title="Add a target" description="Add only sites that you may attack.">
      <SendForm onSend={send} error={add.error}>
        <TextField name="url" label="Address" type="url" placeholder="https://shop.example.com" required />
        <TextField name="name" label="Name" required maxLength={200} />
        <TextField name="environment" label="Environment" hint="Optional, such as production." maxLength={100} />
        <FormActions>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" look="primary" busy={add.isPending}>
            Add
          </Button>
        </FormActions>
      </SendForm>
    </Modal>
  );
}
