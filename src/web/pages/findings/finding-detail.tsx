import type { UseQueryResult } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { useProjectId } from '../../api/project-id.js';
import { Detail } from '../../components/detail/detail.js';
import { listOf } from '../../components/posture/links.js';
import { Loaded } from '../../components/state/state.js';
import type { FindingsDomain } from './domain.js';
import { type Finding, FindingSummary } from './finding.js';

/** What a list is asked for to have the finding of the address alone. */
export function useOpenFinding() {
  const { projectId = '', findingId = '' } = useParams({ strict: false });
  return { project_id: projectId, finding_id: findingId, state: 'all' } as const;
}

interface FindingDetailProps<Row> {
  readonly domain: FindingsDomain;
  readonly query: UseQueryResult<{ readonly items: readonly Row[] }, unknown>;
  /** What is known of the finding. */
  readonly Facts: ComponentType<{ readonly finding: Row; readonly projectId: string }>;
}

/** A finding beside its list: its title, how grave it is, and what is known of it. */
export function FindingDetail<Row extends Pick<Finding, 'title' | 'tier' | 'severity' | 'state'>>({
  domain,
  query,
  Facts,
}: FindingDetailProps<Row>) {
  const { project_id: projectId, finding_id: findingId } = useOpenFinding();
  const list = listOf(domain, { projectId: useProjectId() });
  const finding = query.data?.items[0];
  return (
    <Detail
      rowId={findingId}
      title={finding?.title ?? 'Finding'}
      answer={finding && <FindingSummary {...finding} />}
      close={(look) => (
        <Link
          {...list}
          search={(before) => (domain === 'containers' ? { ...before, view: 'findings' } : before)}
          {...look}
        />
      )}
    >
      <Loaded query={query}>
        {() =>
          finding === undefined ? (
            <p>There is no such finding in this project.</p>
          ) : (
            <Facts finding={finding} projectId={projectId} />
          )
        }
      </Loaded>
    </Detail>
  );
}
