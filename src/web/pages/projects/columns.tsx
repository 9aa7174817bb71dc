import { Link } from '@tanstack/react-router';
import type { Tier } from '../../../shared/vulnerability-terms.js';
import { Tag, TierDot } from '../../components/badge/badge.js';
import type { Column } from '../../components/data-list/data-list.js';
import { count } from '../../components/format/format.js';
import { groupName } from '../../components/groups/groups.js';
import { wasLookedAt } from '../../components/posture/answer.js';
import type { ProjectPosture } from '../../components/posture/types.js';
import { Time } from '../../components/tip/tip.js';
import { exposureWords } from '../../words.js';
import styles from './columns.module.css';

const tiers = [
  ['RED', 'red'],
  ['YELLOW', 'yellow'],
  ['GREEN', 'green'],
] as const satisfies readonly (readonly [Tier, string])[];

/** The columns of the list of projects: what is open, and when each kind of search was last done. */
export const columns: readonly Column<ProjectPosture>[] = [
  {
    id: 'name',
    header: 'Project',
    narrow: 'first',
    grow: true,
    cell: ({ id, name }) => (
      <Link to="/projects/$projectId" params={{ projectId: id }} data-row-link preload="intent">
        {name}
      </Link>
    ),
  },
  { id: 'open', header: 'Open', narrow: 'second', cell: (project) => <Open project={project} /> },
  {
    id: 'exploited',
    header: 'Known exploited',
    narrow: 'second',
    cell: ({ known_exploited }) =>
      known_exploited === 0 ? (
        <span className={styles.none}>none known exploited</span>
      ) : (
        <Tag look="danger">{count(known_exploited)} known exploited</Tag>
      ),
  },
  {
    id: 'priority',
    header: 'Highest priority',
    align: 'end',
    cell: ({ highest_effective_priority: highest }) =>
      highest === null ? <span className={styles.none}>no verdicts</span> : <strong>{highest.toFixed(1)}</strong>,
  },
  { id: 'group', header: 'Group', room: 'some', cell: ({ group }) => group && groupName(group) },
  { id: 'exposure', header: 'Exposure', cell: ({ exposure }) => exposureWords[exposure] },
  {
    id: 'packages',
    header: 'Packages',
    align: 'end',
    cell: ({ packages, stack_changed_at }) =>
      packages === 0 && stack_changed_at === null ? <Never /> : count(packages),
  },
  { id: 'analyzed', header: 'Analyzed', cell: ({ usage_reported_at }) => <Last at={usage_reported_at} /> },
  { id: 'code', header: 'Code', cell: ({ scanned_at }) => <Last at={scanned_at.code} /> },
  { id: 'app', header: 'Running app', cell: ({ scanned_at }) => <Last at={scanned_at.running_app} /> },
  { id: 'images', header: 'Images', cell: ({ scanned_at }) => <Last at={scanned_at.containers} /> },
];

function Open({ project }: { readonly project: ProjectPosture }) {
  if (!wasLookedAt(project)) return <span className={styles.none}>never looked at</span>;
  const domains = Object.values(project.open);
  return (
    <span className={styles.tiers}>
      {tiers.map(([tier, name]) => (
        <span key={tier} className={styles.tier}>
          {count(domains.reduce((sum, each) => sum + each[name], 0))} <TierDot tier={tier} compact />
        </span>
      ))}
    </span>
  );
}

function Last({ at }: { readonly at: Date | null }) {
  return at === null ? <Never /> : <Time at={at} />;
}

function Never() {
  return <span className={styles.none}>never</span>;
}
