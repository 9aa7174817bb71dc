import { useMutation } from '@tanstack/react-query';
import { ChevronDown, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api, queryClient } from '../../../api/client.js';
import { useMay } from '../../../api/may.js';
import { Button } from '../../../components/button/button.js';
import { Confirm } from '../../../components/dialog/dialog.js';
import { ActionMenu, MenuItem } from '../../../components/menu/menu.js';
import { toast } from '../../../components/toast/toast.js';
import { scanModeWords } from '../../../words.js';
import styles from './running-app.module.css';

const modes = ['baseline', 'full', 'api'] as const;

/** What each kind of scan does to the site, for who chooses one. */
const meanings = {
  baseline: 'looks, attacks nothing',
  full: 'attacks the site',
  api: 'attacks an API by its description',
} as const;

interface TargetActionsProps {
  readonly target: { readonly id: string; readonly name: string };
  readonly projectId: string;
}

export function TargetActions({ target, projectId }: TargetActionsProps) {
  const [isRemoving, setIsRemoving] = useState(false);
  const may = useMay(projectId);
  const refresh = () => queryClient.invalidateQueries(api.dast.pathFilter());
  const scan = useMutation(
    api.dast.queueServerScan.mutationOptions({
      onSuccess: ({ mode }) => {
        toast.done(`A ${scanModeWords[mode]} scan of ${target.name} waits for a runner.`);
        return refresh();
      },
      onError: (error) => toast.failed(`No scan of ${target.name} was queued`, error),
    }),
  );
  const remove = useMutation(
    api.dast.removeTarget.mutationOptions({
      onSuccess: () => {
        setIsRemoving(false);
        toast.done(`${target.name} is no target any more.`);
        return refresh();
      },
    }),
  );
  return (
    <span className={styles.buttons}>
      {may('dast.queueServerScan') && (
        <ActionMenu
          trigger={
            <Button size="small" busy={scan.isPending} aria-label={`Scan ${target.name}`}>
              Scan <ChevronDown aria-hidden="true" />
            </Button>
          }
        >
          {modes.map((mode) => (
            <MenuItem key={mode} onClick={() => scan.mutate({ project_id: projectId, target_id: target.id, mode })}>
              {scanModeWords[mode]}: {meanings[mode]}
            </MenuItem>
          ))}
        </ActionMenu>
      )}
      {may('dast.removeTarget') && (
        <Button look="quiet" size="small" aria-label={`Remove ${target.name}`} onClick={() => setIsRemoving(true)}>
          <Trash2 aria-hidden="true" />
        </Button>
      )}
      <Confirm
        open={isRemoving}
        onClose={() => {
          remove.reset();
          setIsRemoving(false);
        }}
        title={`Remove ${target.name}?`}
        description="No runner scans it any more. Its findings and scans stay."
        action="Remove"
        onConfirm={() => remove.mutate({ project_id: projectId, target_id: target.id })}
        busy={remove.isPending}
        error={remove.error}
      />
    </span>
  );
}
