import { useQuery } from '@tanstack/react-query';
import { api, client, type RouterOutputs, useList } from '../../api/client.js';
import { CodeLink, WebLink } from '../../components/link/link.js';
import { Fact, Facts } from '../../components/page/page.js';
import { type FindingsOf, findingColumns, titleColumn } from './columns.js';
import { FindingDetail, FindingScans, lookedThrough, ScannerFacts, ScannerText, useOpenFinding } from './finding.js';
import { FindingsPage } from './page.js';

const findingsOfCode: FindingsOf<RouterOutputs['sast']['listFindings']['items'][number]> = {
  domain: 'code',
  columns: [
    findingColumns.tier,
    titleColumn('code'),
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
    return useList(api.sast.listFindings, client.sast.listFindings, input);
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

type CodeFinding = RouterOutputs['sast']['listFindings']['items'][number];

export function CodeFindingPage() {
  const query = useQuery(api.sast.listFindings.queryOptions(useOpenFinding()));
  return <FindingDetail domain="code" query={query} Facts={FindingFacts} />;
}

function FindingFacts({ finding, projectId }: { readonly finding: CodeFinding; readonly projectId: string }) {
  const jobs = useQuery(api.sast.listScanJobs.queryOptions({ project_id: projectId, page_size: lookedThrough }));
  const { message, rule_id, help_url, source_repo, file, line, tool } = finding;
  return (
    <>
      <ScannerText>{message}</ScannerText>
      <Facts>
        <Fact name="Place">
          {file === null ? 'the report names no file' : <CodeLink repo={source_repo} file={file} line={line} />}
        </Fact>
        <Fact name="Repository">
          <WebLink href={source_repo} />
        </Fact>
        <Fact name="Rule">
          <code>{rule_id}</code>
          {help_url !== null && (
            <>
              {' '}
              <WebLink href={help_url}>what it means, and what to do</WebLink>
            </>
          )}
        </Fact>
        <ScannerFacts {...finding} />
      </Facts>
      <FindingScans
        title="Scans of this repository by this tool"
        query={jobs}
        concerns={(job) => job.tool === tool && job.source_repo === source_repo}
        scanOf={({ id, status, tiers, finished_at, queued_at }) => ({
          ...{ id, status, tiers },
          at: finished_at ?? queued_at,
          what: tool,
        })}
        searched={(count) => `the project’s last ${count} scans of code`}
      />
    </>
  );
}
