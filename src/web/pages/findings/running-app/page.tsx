import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { RouterOutputs } from '../../../../client/index.js';
import { api, client } from '../../../api/client.js';
import { pages } from '../../../api/pages.js';
import { count } from '../../../components/number/number.js';
import { findingColumns, RowLink } from '../columns.js';
import type { FindingsOf } from '../domain.js';
import { FindingsPage } from '../page.js';
import { Targets } from './targets.js';

const findingsOfRunningApps: FindingsOf<RouterOutputs['dast']['listFindings']['items'][number]> = {
  domain: 'running_app',
  columns: [
    findingColumns.tier,
    {
      id: 'title',
      header: 'Finding',
      narrow: 'first',
      grow: true,
      cell: (finding) => (
        <RowLink domain="running_app" finding={finding}>
          {finding.title}
        </RowLink>
      ),
    },
    { id: 'site', header: 'Site', narrow: 'second', cell: ({ target_url }) => target_url },
    { id: 'instances', header: 'Places', align: 'end', cell: ({ instance_count }) => count(instance_count) },
    findingColumns.severity,
    findingColumns.project,
    { id: 'tool', header: 'Seen by', room: 'much', cell: ({ tool }) => tool },
    findingColumns.seen,
    findingColumns.state,
  ],
  states: { fixed: 'fixed', all: 'open and not' },
  useFindings: (scope, source) => {
    const input = { ...scope, ...(source !== undefined && { target_url: source }) };
    return useInfiniteQuery(pages(api.dast.listFindings, client.dast.listFindings, input));
  },
  sourceLabel: 'Site',
  useSources: (scope) => {
    const { data } = useQuery(api.dast.listScanJobs.queryOptions({ ...scope, page_size: 100 }));
    return data?.items.map(({ target_url }) => target_url);
  },
  upload: ['Findings come with ZAP reports:', 'reach upload zap zap.json --project ID'],
  tabs: [
    { name: 'Findings', view: undefined },
    { name: 'Targets and hosted scans', view: 'targets', Content: Targets },
  ],
};

export function RunningAppPage() {
  return <FindingsPage of={findingsOfRunningApps} />;
}
