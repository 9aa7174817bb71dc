import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../api/client.js';
import { useMay } from '../../api/may.js';
import { Button } from '../../components/button/button.js';
import { Confirm } from '../../components/dialog/dialog.js';
import { toast } from '../../components/toast/toast.js';
import { ChangePackage } from './change-package.js';
import { itemQuery } from './item-query.js';
import { refreshStack } from './refresh-stack.js';

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
  const remove = useMutation(
    api.techStack.remove.mutationOptions({
      onSuccess: async () => {
        toast.done(`${name} is not tracked any more. Its alerts are resolved.`);
        await navigate({ to: '/projects/$projectId/packages', params: { projectId } });
        await refreshStack();
      },
    }),
  );
  if (item === undefined || item === null) return null;
  const close = () => {
    remove.reset();
    setAsking(null);
  };
  const isSynced = item.source !== 'manual';
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
      <Confirm
        open={asking === 'remove'}
        onClose={close}
        title={`Stop tracking ${item.name} ${item.version}?`}
        description={
          isSynced
            ? `Its alerts are resolved. It comes back with the next sync of ${item.source}.`
            : 'Its alerts are resolved. It can be added again.'
        }
        action="Remove"
        onConfirm={() => remove.mutate({ project_id: projectId, item_id: itemId })}
        busy={remove.isPending}
        error={remove.error}
      />
    </>
  );
}
