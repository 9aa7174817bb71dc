import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Detail } from '../detail/detail.js';
import { Loaded } from '../state/state.js';
import { type Finding, FindingSummary } from './finding.js';

interface FindingDetailProps<Row> extends Pick<Parameters<typeof Detail>[0], 'close'> {
  readonly findingId: string;
  /** The list, filtered by the finding's id. */
  readonly query: UseQueryResult<{ readonly items: readonly Row[] }, unknown>;
  /** What is known of the finding. */
  readonly children: (finding: Row) => ReactNode;
}

/** A finding beside its list: its title, how grave it is, and what is known of it. */
export function FindingDetail<Row extends Pick<Finding, 'title' | 'tier' | 'severity' | 'state'>>({
  findingId,
  query,
  close,
  children,
}: FindingDetailProps<Row>) {
  const finding = query.data?.items[0];
  return (
    <Detail
      rowId={findingId}
      title={finding?.title ?? 'Finding'}
      answer={finding && <FindingSummary {...finding} />}
      close={close}
    >
      <Loaded query={query}>
        {() => (finding === undefined ? <p>There is no such finding in this project.</p> : children(finding))}
      </Loaded>
    </Detail>
  );
}
