import { Link } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { api, client } from '../../api/client.js';
import { useMay } from '../../api/may.js';
import { useChange } from '../../api/use-change.js';
import { Button } from '../../components/button/button.js';
import { Failed } from '../../components/state/state.js';
import styles from './getting-started.module.css';

/** Days for which a key made here is good. */
const keyDays = 90;

interface ProjectKeyProps {
  readonly project: { readonly id: string; readonly name: string };
  readonly isMade: boolean;
  readonly onMade: (key: string) => void;
}

/** Makes a key that reaches this project alone. The caller shows it: it is answered once. */
export function ProjectKey({ project, isMade, onMade }: ProjectKeyProps) {
  const may = useMay();
  const create = useChange({
    send: client.apiKeys.create.mutate,
    onDone: ({ key }) => onMade(key),
    stale: [api.apiKeys.pathFilter()],
  });
  if (!may('apiKeys.create'))
    return <p className={styles.quiet}>A key is made by an admin of your organisation. Ask for a ReadWrite key.</p>;
  if (isMade) {
    return (
      <p role="status" className={styles.quiet}>
        The key is shown once: copy it now. It reaches this project alone, for {keyDays} days; revoke it under{' '}
        <Link to="/settings/api-keys">API keys</Link>.
      </p>
    );
  }
  const make = () => {
    const expires_at = new Date(Date.now() + keyDays * 86_400_000).toISOString();
    const name = `reach, ${project.name}`.slice(0, 100);
    create.mutate({ name, scope: 'ReadWrite', project_ids: [project.id], expires_at });
  };
  return (
    <div className={styles.key}>
      <Button onClick={make} busy={create.isPending}>
        <KeyRound aria-hidden="true" /> Make a key for this project
      </Button>
      {create.error !== null && <Failed error={create.error} onRetry={make} />}
    </div>
  );
}
