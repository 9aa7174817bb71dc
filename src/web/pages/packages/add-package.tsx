import { useMutation } from '@tanstack/react-query';
import { ecosystems } from '../../../shared/packages/ecosystem.js';
import { scopes } from '../../../shared/vulnerability-terms.js';
import { api } from '../../api/client.js';
import { Button } from '../../components/button/button.js';
import { Modal } from '../../components/dialog/dialog.js';
import { FormActions, SelectField, SendForm, TextField, textOf } from '../../components/field/field.js';
import { toast } from '../../components/toast/toast.js';
import { scopeWords } from '../../words.js';
import { refreshStack } from './refresh-stack.js';

interface AddPackageProps {
  readonly projectId: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

export function AddPackage({ projectId, open, onClose }: AddPackageProps) {
  const add = useMutation(
    api.techStack.add.mutationOptions({
      onSuccess: ({ name, version }) => {
        toast.done(`${name} ${version} is tracked. Its alerts are there, if it has any.`);
        onClose();
        return refreshStack();
      },
    }),
  );
  const close = () => {
    add.reset();
    onClose();
  };
  const send = (values: FormData) => {
    const ecosystem = ecosystems.find((name) => name === textOf(values, 'ecosystem'));
    const scope = scopes.find((name) => name === textOf(values, 'scope'));
    if (ecosystem === undefined || scope === undefined) return;
    const name = textOf(values, 'name').trim();
    const version = textOf(values, 'version').trim();
    add.mutate({ project_id: projectId, ecosystem, name, version, scope });
  };
  return (
    <Modal
      open={open}
      onClose={close}
      title="Add a package"
      description="For what no lock file names. A sync of lock files leaves it alone."
    >
      <SendForm onSend={send} error={add.error}>
        <SelectField name="ecosystem" label="Ecosystem">
          {ecosystems.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </SelectField>
        <TextField name="name" label="Name" required spellCheck={false} autoCapitalize="off" />
        <TextField name="version" label="Version" required spellCheck={false} />
        <SelectField name="scope" label="Scope">
          {scopes.map((scope) => (
            <option key={scope} value={scope}>
              {scopeWords[scope]}
            </option>
          ))}
        </SelectField>
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
