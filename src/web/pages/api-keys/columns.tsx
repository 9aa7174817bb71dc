import type { RouterOutputs } from '../../api/client.js';
import { Tag } from '../../components/badge/badge.js';
import { Button } from '../../components/button/button.js';
import { actionsColumn, type Column } from '../../components/data-list/data-list.js';
import { counted, relative } from '../../components/format/format.js';
import { Time, Tip } from '../../components/tip/tip.js';
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
    actionsColumn((key) => (
      <Button look="quiet" size="small" onClick={() => onRevoke(key)} aria-label={`Revoke ${key.name}`}>
        Revoke
      </Button>
    )),
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

export type ApiKey = RouterOutputs['apiKeys']['list']['items'][number];

/** Whether a key still opens anything. A revoked one that has expired too was revoked. */
export function stateOf({ revoked_at, expires_at }: ApiKey, now: Date): 'active' | 'expired' | 'revoked' {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && expires_at <= now ? 'expired' : 'active';
}

const soonMs = 14 * 86_400_000;

/** Whether it is time to replace the key. */
function endsSoon({ expires_at }: ApiKey, now: Date): boolean {
  return expires_at !== null && expires_at.getTime() - now.getTime() < soonMs;
}

/** The page's answer: how many keys call, what they may, when one did last. */
export function answerOf(active: readonly ApiKey[], now: Date): string {
  if (active.length === 0) return 'No key is active: agents and build pipelines cannot call yet.';
  const writing = active.filter(({ scope }) => scope === 'ReadWrite').length;
  const scopes =
    writing === 0 ? 'none of them may write' : `${writing === active.length ? 'all' : writing} of them may also write`;
  const uses = active.flatMap(({ last_used_at }) => (last_used_at === null ? [] : [last_used_at.getTime()]));
  const use =
    uses.length === 0 ? 'None has called yet' : `The last call was ${relative(new Date(Math.max(...uses)), now)}`;
  const ending = active.filter((key) => endsSoon(key, now)).length;
  const end = ending === 0 ? '' : ` ${counted(ending, 'key ends', 'keys end')} within 14 days.`;
  return `${counted(active.length, 'key is active', 'keys are active')}; ${scopes}. ${use}.${end}`;
}
