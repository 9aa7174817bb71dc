import { Link } from '@tanstack/react-router';
import type { ComponentType, ReactNode } from 'react';
import type { Page, RouterOutputs } from '../../api/client.js';
import { TierDot } from '../../components/badge/badge.js';
import type { Column, PagesQuery } from '../../components/data-list/data-list.js';
import { findingPage, useProjectId } from '../../components/posture/scope.js';
import type { Scope, scoped } from '../../components/posture/types.js';
import { Time } from '../../components/tip/tip.js';
import { severityWords } from '../../words.js';
import { type Finding, FindingState, type FindingsDomain } from './finding.js';
import type { FindingSearch } from './search.js';

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

export function titleColumn<Row extends Named & Pick<Finding, 'title'>>(domain: FindingsDomain): Column<Row> {
  const cell = (finding: Row) => <RowLink {...{ domain, finding }}>{finding.title}</RowLink>;
  return { id: 'title', header: 'Finding', narrow: 'first', grow: true, cell };
}

/** The input of a list of findings. */
interface FindingsInput extends ReturnType<typeof scoped> {
  readonly state?: NonNullable<FindingSearch['state']>;
  readonly severity?: NonNullable<FindingSearch['severity']>[];
}

type Answer = Page<unknown> & Pick<RouterOutputs['sast']['listFindings'], 'coverage'>;

interface Tab {
  readonly name: string;
  /** As the address has it. */
  readonly view: 'findings' | 'targets' | undefined;
  /** Absent for the findings. */
  readonly Content?: ComponentType<Scope>;
}

/** The parts from which the page of one domain's findings is made. */
export interface FindingsOf<Row extends { readonly id: string }> {
  readonly domain: FindingsDomain;
  /** `project` is shown where there are several, `state` where findings of several states are asked for. */
  readonly columns: ReadonlyArray<Column<Row>>;
  /** States that can be asked for, besides `open`. */
  readonly states: { readonly fixed?: string; readonly all: string };
  readonly useFindings: (
    input: FindingsInput,
    source: string | undefined,
  ) => { readonly query: PagesQuery<Row>; readonly first: Answer | undefined };
  readonly sourceLabel: string;
  /** Sources that scans have named. */
  readonly useSources: (scope: ReturnType<typeof scoped>) => readonly string[] | undefined;
  /** How a first report comes here: a sentence, and a command of ours, with `ID` in the place of the project's id. */
  readonly upload: readonly [sentence: string, command: string];
  /** The first is shown where the address names none. Absent where the page has only findings. */
  readonly tabs?: readonly Tab[];
}
