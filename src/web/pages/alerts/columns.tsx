import { Link } from '@tanstack/react-router';
import { UserRoundCheck } from 'lucide-react';
import { BandBadge, Priority, Tag, TierDot } from '../../components/badge/badge.js';
import type { Column } from '../../components/data-list/data-list.js';
import { counted } from '../../components/format/format.js';
import { findingPage } from '../../components/posture/scope.js';
import { Time, Tip } from '../../components/tip/tip.js';
import { exposureWords, overrideWords, usageMeanings, usageWords } from '../../words.js';
import type { AlertFilters } from './filters.js';
import styles from './list.module.css';
import type { AlertRow } from './rows.js';

interface Scope {
  /** Of one project; undefined: over all. */
  readonly projectId: string | undefined;
  readonly filters: AlertFilters;
}

/** The columns of a list of alerts. Beside an open detail there is room for the first ones. */
export function alertColumns(scope: Scope): readonly Column<AlertRow>[] {
  const ofProject: Column<AlertRow> = {
    id: 'project',
    header: 'Project',
    room: 'some',
    cell: ({ project }) => project?.name,
  };
  return [
    { id: 'alert', header: 'Alert', grow: true, narrow: 'first', cell: (row) => <What row={row} {...scope} /> },
    ...(scope.projectId === undefined ? [ofProject] : []),
    { id: 'band', header: 'Verdict', narrow: 'second', cell: (row) => <Verdict row={row} /> },
    {
      id: 'priority',
      header: 'Priority',
      narrow: 'second',
      align: 'end',
      cell: ({ verdict }) => <Priority value={verdict?.effective_priority ?? null} />,
    },
    {
      id: 'exposure',
      header: 'Exposure',
      room: scope.projectId === undefined ? 'much' : 'most',
      cell: ({ verdict }) => verdict && exposureWords[verdict.exposure],
    },
    {
      id: 'usage',
      header: 'Usage',
      room: 'some',
      cell: ({ verdict }) => verdict && <UsageWord usage={verdict.usage} />,
    },
    {
      id: 'site',
      header: 'First import',
      room: scope.projectId === undefined ? 'most' : 'much',
      cell: ({ verdict }) => <Site verdict={verdict} />,
    },
    { id: 'age', header: 'Age', align: 'end', room: 'some', cell: ({ first_seen_at }) => <Time at={first_seen_at} /> },
  ];
}

function What({ row, projectId, filters }: Scope & { readonly row: AlertRow }) {
  const {
    tier,
    cve,
    advisory_ids,
    package: { name },
    versions,
    safe_version,
    safe_version_status,
    status,
    malicious,
    band,
    kev,
  } = row;
  const label = cve ?? advisory_ids[0] ?? row.title;
  return (
    <span className={styles.what}>
      <TierDot tier={tier} compact />
      <span className={styles.id}>
        <Link
          {...findingPage({ domain: 'dependencies', id: row.id, project: { id: row.project_id } }, projectId)}
          search={filters}
          resetScroll={false}
          data-row-link=""
        >
          {label}
        </Link>
      </span>
      <span className={styles.package}>
        <strong>{name}</strong>
        <span className={styles.versions}>
          {versions.join(', ')}
          {safe_version !== null && (
            <>
              {' '}
              <span aria-hidden="true">→</span>
              <span className="visually-hidden">, safe from</span> {safe_version}
              {safe_version_status === 'unverified' && ' if published'}
            </>
          )}
        </span>
      </span>
      {malicious && <Tag look="danger">malicious</Tag>}
      {kev !== null && band !== 'known_exploited' && <Tag look="danger">known exploited</Tag>}
      {status !== 'open' && <Tag>{status}</Tag>}
    </span>
  );
}

function Verdict({ row: { band, verdict } }: { readonly row: AlertRow }) {
  const override = verdict?.override ?? null;
  return (
    <span className={styles.verdict}>
      <BandBadge band={band} />
      {override !== null && (
        <Tip text={`A person overruled the machine: ${overrideWords[override]}.`}>
          <span className={styles.override}>
            <UserRoundCheck aria-hidden="true" />
            <span className="visually-hidden">overruled: {overrideWords[override]}</span>
          </span>
        </Tip>
      )}
    </span>
  );
}

function UsageWord({ usage }: { readonly usage: NonNullable<AlertRow['verdict']>['usage'] }) {
  return <Tip text={usageMeanings[usage]}>{usageWords[usage]}</Tip>;
}

function Site({ verdict }: Pick<AlertRow, 'verdict'>) {
  if (verdict === null || verdict.site === null) return null;
  const more = verdict.site_count - 1;
  return (
    <Tip text={more > 0 ? `${verdict.site}, and ${counted(more, 'more place')}` : verdict.site}>
      <span className={styles.site}>
        <code>{verdict.site.split('/').slice(-2).join('/')}</code>
        {more > 0 && <span>+{more}</span>}
      </span>
    </Tip>
  );
}
