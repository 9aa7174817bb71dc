import { severityWords } from '../../words.js';
import { TierDot } from '../badge/badge.js';
import type { Column } from '../data-list/columns.js';
import { Time } from '../time/time.js';
import { type Finding, FindingState } from './finding.js';

interface Listed extends Pick<Finding, 'tier' | 'severity' | 'state' | 'last_seen_at'> {
  readonly project?: { readonly id: string; readonly name: string } | null | undefined;
}

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
