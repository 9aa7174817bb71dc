import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ecosystems } from '../../../shared/packages/ecosystem.js';
import { scopes } from '../../../shared/vulnerability-terms.js';
import { api, client, oneOf, type RouterOutputs, useChange } from '../../api/client.js';
import { useMay } from '../../api/session.js';
import { Button } from '../../components/button/button.js';
import { ConfirmAction, type DialogProps, FormDialog } from '../../components/dialog/dialog.js';
import { SelectField, TextField, textOf } from '../../components/field/field.js';
import { namesOf } from '../../components/field/options.js';
import { scopeWords } from '../../words.js';

interface PackageActionsProps {
  readonly projectId: string;
  readonly itemId: string;
  readonly name: string;
}

/** Changing and removing one package. What a lock file names comes back with its next sync, and this says so. */
export function PackageActions({ projectId, itemId, name }: PackageActionsProps) {
  const { data: item } = useQuery(itemQuery(projectId, itemId, name));
  const [asking, setAsking] = useState<'change' | 'remove' | null>(null);
  const navigate = useNavigate();
  const may = useMay(projectId);
  if (item === undefined || item === null) return null;
  const close = () => setAsking(null);
  return (
    <>
      {may('techStack.update') && (
        <Button size="small" onClick={() => setAsking('change')}>
          <Pencil aria-hidden="true" /> Change
        </Button>
      )}
      {may('techStack.remove') && (
        <Button size="small" onClick={() => setAsking('remove')}>
          <Trash2 aria-hidden="true" /> Remove
        </Button>
      )}
      <ChangePackage item={item} projectId={projectId} open={asking === 'change'} onClose={close} />
      <ConfirmAction
        target={asking === 'remove' ? { project_id: projectId, item_id: itemId } : null}
        onClose={close}
        title={() => `Stop tracking ${item.name} ${item.version}?`}
        description={() =>
          item.source === 'manual'
            ? 'Its alerts are resolved. It can be added again.'
            : `Its alerts are resolved. It comes back with the next sync of ${item.source}.`
        }
        action="Remove"
        send={client.techStack.remove.mutate}
        done={() => `${name} is not tracked any more. Its alerts are resolved.`}
        onDone={() => navigate({ to: '/projects/$projectId/packages', params: { projectId } })}
        stale={stackQueries}
      />
    </>
  );
}

interface ChangePackageProps extends DialogProps {
  readonly item: RouterOutputs['techStack']['list']['items'][number];
  readonly projectId: string;
}

/** Another version or scope of one package. A change that somebody else made meanwhile is not overwritten. */
function ChangePackage({ item, projectId, open, onClose }: ChangePackageProps) {
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
      <SelectField name="scope" label="Scope" defaultValue={item.scope} options={scopeWords} />
    </FormDialog>
  );
}

interface AddPackageProps extends DialogProps {
  readonly projectId: string;
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
      <SelectField name="ecosystem" label="Ecosystem" options={namesOf(ecosystems)} />
      <TextField name="name" label="Name" required spellCheck={false} autoCapitalize="off" />
      <TextField name="version" label="Version" required spellCheck={false} />
      <SelectField name="scope" label="Scope" options={scopeWords} />
    </FormDialog>
  );
}

/** One tracked package with its health and revision, looked for among those of its name; null where it is not there. */
export function itemQuery(projectId: string, itemId: string, name: string) {
  return oneOf(api.techStack.list, client.techStack.list, { project_id: projectId, package: name }, itemId);
}

/** Queries that a change of the stack makes old: packages, their health, alerts and the posture. */
const stackQueries = [api.techStack, api.intelligence, api.alerts, api.posture, api.reachability].map((each) =>
  each.pathFilter(),
);
