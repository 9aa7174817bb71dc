import type { RouterOutputs } from '../../../client/index.js';
import { scopes } from '../../../shared/vulnerability-terms.js';
import { client } from '../../api/client.js';
import { useChange } from '../../api/use-change.js';
import { FormDialog } from '../../components/dialog/form-dialog.js';
import { SelectField, TextField, textOf } from '../../components/field/field.js';
import { scopeWords } from '../../words.js';
import { stackQueries } from './stack-queries.js';

interface ChangePackageProps {
  readonly item: RouterOutputs['techStack']['list']['items'][number];
  readonly projectId: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Another version or scope of one package. A change that somebody else made meanwhile is not overwritten. */
export function ChangePackage({ item, projectId, open, onClose }: ChangePackageProps) {
  const change = useChange({
    send: client.techStack.update.mutate,
    done: ({ name, version }) => `${name} is tracked at ${version}. Its alerts follow.`,
    onDone: onClose,
    stale: stackQueries,
  });
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
    <FormDialog
      {...{ open, onClose, onSend: send, change }}
      title={`Change ${item.name}`}
      description={item.source === 'manual' ? undefined : `The next sync of ${item.source} sets it again.`}
      action="Change"
    >
      <TextField name="version" label="Version" defaultValue={item.version} required spellCheck={false} />
      <SelectField name="scope" label="Scope" defaultValue={item.scope}>
        {scopes.map((scope) => (
          <option key={scope} value={scope}>
            {scopeWords[scope]}
          </option>
        ))}
      </SelectField>
    </FormDialog>
  );
}
