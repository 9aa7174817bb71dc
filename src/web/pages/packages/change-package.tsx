import { useMutation } from '@tanstack/react-query';
import type { RouterOutputs } from '../../../client/index.js';
import { scopes } from '../../../shared/vulnerability-terms.js';
import { api } from '../../api/client.js';
import { Button } from '../../components/button/button.js';
import { Modal } from '../../components/dialog/dialog.js';
import { FormActions, SelectField, SendForm, TextField, textOf } from '../../components/field/field.js';
import { toast } from '../../components/toast/toast.js';
import { scopeWords } from '../../words.js';
import { refreshStack } from './refresh-stack.js';

interface ChangePackageProps {
  readonly item: RouterOutputs['techStack']['list']['items'][number];
  readonly projectId: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Another version or scope of one package. A change that somebody else made meanwhile is not overwritten. */
export function ChangePackage({ item, projectId, open, onClose }: ChangePackageProps) {
  const change = useMutation(
    api.techStack.update.mutationOptions({
      onSuccess: ({ name, version }) => {
        toast.done(`${name} is tracked at ${version}. Its alerts follow.`);
        onClose();
        return refreshStack();
      },
    }),
  );
  const close = () => {
    change.reset();
    onClose();
  };
  const send = (values: FormData) => {
    const scope = scopes.find((name) => name === textOf(values, 'scope'));
    const version = textOf(values, 'version').trim();
    change.mutate({
      project_id: projectId,
      item_id: item.id,
      expected_revision: item.revision,
      ...(version !== item.version && { version }),
      ...(scope !== undefined && scope !== item.scope && { scope }),
    });
  };
  return (
    <Modal
      open={open}
      onClose={close}
      title={`Change ${item.name}`}
      description={item.source === 'manual' ? undefined : `The next sync of ${item.source} sets it again.`}
    >
      <SendForm onSend={send} error={change.error}>
        <TextField name="version" label="Version" defaultValue={item.version} required spellCheck={false} />
        <SelectField name="scope" label="Scope" defaultValue={item.scope}>
          {scopes.map((scope) => (
            <option key={scope} value={scope}>
              {scopeWords[scope]}
            </option>
          ))}
        </SelectField>
        <FormActions>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" look="primary" busy={change.isPending}>
            Change
          </Button>
        </FormActions>
      </SendForm>
    </Modal>
  );
}
