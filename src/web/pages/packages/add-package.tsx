import { ecosystems } from '../../../shared/packages/ecosystem.js';
import { scopes } from '../../../shared/vulnerability-terms.js';
import { client } from '../../api/client.js';
import { useChange } from '../../api/use-change.js';
import { FormDialog } from '../../components/dialog/form-dialog.js';
import { SelectField, TextField, textOf } from '../../components/field/field.js';
import { scopeWords } from '../../words.js';
import { stackQueries } from './stack-queries.js';

interface AddPackageProps {
  readonly projectId: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

export function AddPackage({ projectId, open, onClose }: AddPackageProps) {
  const add = useChange({
    send: client.techStack.add.mutate,
    done: ({ name, version }) => `${name} ${version} is tracked. Its alerts are there, if it has any.`,
    onDone: onClose,
    stale: stackQueries,
  });
  const send = (values: FormData) => {
    const ecosystem = ecosystems.find((name) => name === textOf(values, 'ecosystem'));
    const scope = scopes.find((name) => name === textOf(values, 'scope'));
    if (ecosystem === undefined || scope === undefined) return;
    const name = textOf(values, 'name').trim();
    const version = textOf(values, 'version').trim();
    add.mutate({ project_id: projectId, ecosystem, name, version, scope });
  };
  return (
    <FormDialog
      {...{ open, onClose, onSend: send, change: add }}
      title="Add a package"
      description="For what no lock file names. A sync of lock files leaves it alone."
      action="Add"
    >
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
    </FormDialog>
  );
}
