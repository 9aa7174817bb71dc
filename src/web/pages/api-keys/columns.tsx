import { Tag } from '../../components/badge/badge.js';
import { Button } from '../../components/button/button.js';
import type { Column } from '../../components/data-list/columns.js';
import { counted } from '../../components/number/number.js';
import { Time } from '../../components/time/time.js';
import { Tip } from '../../components/tip/tip.js';
import { type ApiKey, endsSoon, stateOf } from './key-state.js';
import styles from './page.module.css';

type Names = ReadonlyMap<string, string>;

const common = (names: Names): readonly Column<ApiKey>[] => [
  {
    id: 'name',
    header: 'Name',
    grow: true,
    narrow: 'first',
    cell: ({ name, hint }) => (
      <span className={styles.name}>
        <strong>{name}</strong> <code>{hint}</code>
      </span>
    ),
  },
  {
    id: 'scope',
    header: 'Scope',
    narrow: 'second',
    cell: ({ scope }) => <Tag look={scope === 'ReadWrite' ? 'warn' : 'plain'}>{scope}</Tag>,
  },
  { id: 'projects', header: 'Projects', cell: ({ project_ids }) => <Reach ids={project_ids} names={names} /> },
  {
    id: 'created',
    header: 'Created',
    cell: ({ created_at, created_by }) => (
      <>
        <Time at={created_at} /> by {created_by}
      </>
    ),
  },
  {
    id: 'used',
    header: 'Last used',
    narrow: 'second',
    cell: ({ last_used_at }) =>
      last_used_at === null ? (
        <span className={styles.quiet}>never used</span>
      ) : (
        <>
          <span className={styles.narrowWord}>used </span>
          <Time at={last_used_at} />
        </>
      ),
  },
];

export function activeColumns(names: Names, onRevoke: (key: ApiKey) => void): readonly Column<ApiKey>[] {
  return [
    ...common(names),
    { id: 'expires', header: 'Expires', narrow: 'second', cell: (key) => <Expiry apiKey={key} /> },
    {
      id: 'actions',
      header: 'Actions',
      hidesHeader: true,
      narrow: 'second',
      align: 'end',
      cell: (key) => (
        <Button look="quiet" size="small" onClick={() => onRevoke(key)} aria-label={`Revoke ${key.name}`}>
          Revoke
        </Button>
      ),
    },
  ];
}

export function pastColumns(names: Names): readonly Column<ApiKey>[] {
  return [
    ...common(names),
    {
      id: 'ended',
      header: 'Ended',
      narrow: 'second',
      cell: (key) => (
        <>
          {stateOf(key, new Date())} <Time at={key.revoked_at ?? key.expires_at ?? key.created_at} />
        </>
      ),
    },
  ];
}

function Expiry({ apiKey }: { readonly apiKey: ApiKey }) {
  if (apiKey.expires_at === null) return <span className={styles.quiet}>never expires</span>;
  const isSoon = endsSoon(apiKey, new Date());
  return (
    <span className={isSoon ? styles.soon : undefined}>
      <span className={styles.narrowWord}>expires </span>
      <Time at={apiKey.expires_at} />
    </span>
  );
}

function Reach({ ids, names }: { readonly ids: ApiKey['project_ids']; readonly names: Names }) {
  if (ids === null) return 'all';
  const text = ids.map((id) => names.get(id) ?? id).join(', ');
  return (
    <Tip text={text}>
      <span className={styles.reach}>{ids.length === 1 ? text : counted(ids.length, 'project')}</span>
    </Tip>
  );
}
