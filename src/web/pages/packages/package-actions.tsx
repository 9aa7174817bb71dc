import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client.js';
import { useMay } from '../../api/may.js';
import { useChange } from '../../api/use-change.js';
import { Button } from '../../components/button/button.js';
import { ConfirmAction } from '../../components/dialog/confirm-action.js';
import { ChangePackage } from './change-package.js';
import { itemQuery } from './item-query.js';
import { stackQueries } from './stack-queries.js';

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
  const remove = useChange({
    send: client.techStack.remove.mutate,
    done: () => `${name} is not tracked any more. Its alerts are resolved.`,
    onDone: () => navigate({ to: '/projects/$projectId/packages', params: { projectId } }),
    stale: stackQueries,
  });
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
        mutation={remove}
      />
    </>
  );
}
