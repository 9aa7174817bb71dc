import { ChevronDown, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api, client } from '../../../api/client.js';
import { useMay } from '../../../api/may.js';
import { useChange } from '../../../api/use-change.js';
import { Button } from '../../../components/button/button.js';
import { ConfirmAction } from '../../../components/dialog/confirm-action.js';
import { ActionMenu, MenuItem } from '../../../components/menu/menu.js';
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
  const stale = [api.dast.pathFilter()];
  const scan = useChange({
    send: client.dast.queueServerScan.mutate,
    done: ({ mode }) => `A ${scanModeWords[mode]} scan of ${target.name} waits for a runner.`,
    failed: () => `No scan of ${target.name} was queued`,
    stale,
  });
  const remove = useChange({
    send: client.dast.removeTarget.mutate,
    done: () => `${target.name} is no target any more.`,
    onDone: () => setIsRemoving(false),
    stale,
  });
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
      <ConfirmAction
        target={isRemoving ? { project_id: projectId, target_id: target.id } : null}
        onClose={() => setIsRemoving(false)}
        title={() => `Remove ${target.name}?`}
        description={() => 'No runner scans it any more. Its findings and scans stay.'}
        action="Remove"
        mutation={remove}
      />
    </span>
  );
}
