import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { RouterOutputs } from '../../../../client/index.js';
import { api, client } from '../../../api/client.js';
import { pages } from '../../../api/pages.js';
import { CodeLink } from '../../../components/code-link/code-link.js';
import { findingColumns, RowLink } from '../columns.js';
import type { FindingsOf } from '../domain.js';
import { FindingsPage } from '../page.js';

const findingsOfCode: FindingsOf<RouterOutputs['sast']['listFindings']['items'][number]> = {
  domain: 'code',
  columns: [
    findingColumns.tier,
    {
      id: 'title',
      header: 'Finding',
      narrow: 'first',
      grow: true,
      cell: (finding) => (
        <RowLink domain="code" finding={finding}>
          {finding.title}
        </RowLink>
      ),
    },
    {
      id: 'place',
      header: 'Place',
      narrow: 'second',
      cell: ({ source_repo, file, line }) =>
        file === null ? source_repo : <CodeLink repo={source_repo} file={file} line={line} short />,
    },
    findingColumns.severity,
    findingColumns.project,
    { id: 'tool', header: 'Seen by', room: 'much', cell: ({ tool }) => tool },
    findingColumns.seen,
    findingColumns.state,
  ],
  states: { fixed: 'fixed', all: 'open and not' },
  useFindings: (scope, source) => {
    const input = { ...scope, ...(source !== undefined && { source_repo: source }) };
    return useInfiniteQuery(pages(api.sast.listFindings, client.sast.listFindings, input));
  },
  sourceLabel: 'Repository',
  useSources: (scope) => {
    const { data } = useQuery(api.sast.listScanJobs.queryOptions({ ...scope, page_size: 100 }));
    return data?.items.map(({ source_repo }) => source_repo);
  },
  upload: [
    'Findings come with SARIF reports of any scanner:',
    'reach upload sarif report.sarif --project ID --repo URL',
  ],
};

export function CodePage() {
  return <FindingsPage of={findingsOfCode} />;
}
