import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useProjectId } from '../../api/project-id.js';
import { TierDot } from '../../components/badge/badge.js';
import type { Column } from '../../components/data-list/columns.js';
import { findingPage } from '../../components/posture/links.js';
import { Time } from '../../components/time/time.js';
import { severityWords } from '../../words.js';
import type { FindingsDomain } from './domain.js';
import { type Finding, FindingState } from './finding.js';

interface Named {
  readonly id: string;
  readonly project?: { readonly id: string; readonly name: string } | null | undefined;
}

type Listed = Named & Pick<Finding, 'tier' | 'severity' | 'state' | 'last_seen_at'>;

/** Columns that lists of findings have in common, each with the place that it has in all of them. */
export const findingColumns = {
  tier: { id: 'tier', header: 'Tier', narrow: 'second', cell: ({ tier }) => <TierDot tier={tier} /> },
  severity: { id: 'severity', header: 'Severity', room: 'some', cell: ({ severity }) => severityWords[severity] },
  project: { id: 'project', header: 'Project', room: 'some', cell: ({ project }) => project?.name },
  seen: {
    id: 'seen',
    header: 'Last seen',
    narrow: 'second',
    room: 'some',
    cell: ({ last_seen_at }) => <Time at={last_seen_at} />,
  },
  state: { id: 'state', header: 'State', narrow: 'second', cell: ({ state }) => <FindingState state={state} /> },
} as const satisfies Readonly<Record<string, Column<Listed>>>;

interface RowLinkProps {
  readonly domain: FindingsDomain;
  readonly finding: Named;
  readonly children: ReactNode;
}

/** Opens a finding beside its list, whose filters stay. */
export function RowLink({ domain, finding: { id, project }, children }: RowLinkProps) {
  const target = findingPage({ domain, id, project: { id: project?.id ?? '' } }, useProjectId());
  return (
    <Link {...target} search={true} data-row-link>
      {children}
    </Link>
  );
}
