import { useQuery } from '@tanstack/react-query';
import { ChevronDown, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api, client, type RouterOutputs, useChange } from '../../../api/client.js';
import { useMay } from '../../../api/session.js';
import { Button } from '../../../components/button/button.js';
import { ConfirmAction, type DialogProps, FormDialog } from '../../../components/dialog/dialog.js';
import { TextField, textOf } from '../../../components/field/field.js';
import { WebLink } from '../../../components/link/link.js';
import { ActionMenu, MenuItem } from '../../../components/menu/menu.js';
import { Empty, Loaded, Section } from '../../../components/page/page.js';
import { type Scope, scoped } from '../../../components/posture/types.js';
import { Time } from '../../../components/tip/tip.js';
import { scanModeWords } from '../../../words.js';
import { HostedScans } from './hosted-scans.js';
import styles from './running-app.module.css';

type Target = RouterOutputs['dast']['listTargets']['items'][number];

/** The sites that are scanned: those of one project can be changed, those of all are named. */
export function Targets({ projectId, group }: Scope) {
  const [isAdding, setIsAdding] = useState(false);
  const may = useMay(projectId);
  const scope = scoped({ projectId, group });
  const query = useQuery(api.dast.listTargets.queryOptions({ ...scope, page_size: 100 }));
  const add = projectId !== undefined && may('dast.addTarget') && (
    <Button size="small" onClick={() => setIsAdding(true)}>
      <Plus aria-hidden="true" /> Add a target
    </Button>
  );
  return (
    <>
      <Section title="Targets" actions={add}>
        <Loaded query={query}>
          {({ items, total }) =>
            items.length === 0 ? (
              <Empty title="No target is registered.">
                <p>A target is a site that a runner may scan. Reports of other sites can be uploaded without one.</p>
              </Empty>
            ) : (
              <>
                <ul className={styles.rows}>
                  {items.map((target) => (
                    <li key={target.id}>
                      <TargetFacts target={target} />
                      {projectId !== undefined && <TargetActions target={target} projectId={projectId} />}
                    </li>
                  ))}
                </ul>
                {total > items.length && (
                  <p>
                    The first {items.length} of {total} targets, by name.
                  </p>
                )}
              </>
            )
          }
        </Loaded>
      </Section>
      <HostedScans projectId={projectId} />
      {projectId !== undefined && (
        <AddTarget projectId={projectId} open={isAdding} onClose={() => setIsAdding(false)} />
      )}
    </>
  );
}

function TargetFacts({ target: { name, url, environment, last_scanned_at, project } }: { readonly target: Target }) {
  return (
    <>
      <span className={styles.name}>
        <strong>{name}</strong> <WebLink href={url} />
      </span>
      {project !== undefined && <span className={styles.quiet}>{project.name}</span>}
      <span className={styles.quiet}>{environment ?? 'no environment named'}</span>
      <span className={styles.quiet}>
        {last_scanned_at === null ? (
          'never scanned'
        ) : (
          <>
            scanned <Time at={last_scanned_at} />
          </>
        )}
      </span>
    </>
  );
}

interface AddTargetProps extends DialogProps {
  readonly projectId: string;
}

function AddTarget({ projectId, open, onClose }: AddTargetProps) {
  const add = useChange({
    send: client.dast.addTarget.mutate,
    done: ({ name }) => `${name} is a target now.`,
    onDone: onClose,
    stale: [api.dast.pathFilter()],
  });
  const send = (values: FormData) => {
    const environment = textOf(values, 'environment').trim();
    add.mutate({
      project_id: projectId,
      url: textOf(values, 'url').trim(),
      name: textOf(values, 'name'),
      ...(environment !== '' && { environment }),
    });
  };
  return (
    <FormDialog
      {...{ open, onClose, onSend: send, change: add }}
      title="Add a target"
      description="Add only sites that you may attack."
      action="Add"
    >
      <TextField name="url" label="Address" type="url" placeholder="https://shop.example.com" required />
      <TextField name="name" label="Name" required maxLength={200} />
      <TextField name="environment" label="Environment" hint="Optional, such as production." maxLength={100} />
    </FormDialog>
  );
}

const modes = ['baseline', 'full', 'api'] as const;

/** Explains each kind of scan to the person who chooses one. */
const meanings = {
  baseline: 'looks, attacks nothing',
  full: 'attacks the site',
  api: 'attacks an API by its description',
} as const;

interface TargetActionsProps {
  readonly target: { readonly id: string; readonly name: string };
  readonly projectId: string;
}

function TargetActions({ target, projectId }: TargetActionsProps) {
  const [isRemoving, setIsRemoving] = useState(false);
  const may = useMay(projectId);
  const stale = [api.dast.pathFilter()];
  const scan = useChange({
    send: client.dast.queueServerScan.mutate,
    done: ({ mode }) => `A ${scanModeWords[mode]} scan of ${target.name} waits for a runner.`,
    failed: () => `No scan of ${target.name} was queued`,
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
        send={client.dast.removeTarget.mutate}
        done={() => `${target.name} is no target any more.`}
        onDone={() => setIsRemoving(false)}
        stale={stale}
      />
    </span>
  );
}
