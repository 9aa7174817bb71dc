import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { api } from '../../api/client.js';
import { CodeLink } from '../../components/code-link/code-link.js';
import { type Detail, DetailPart } from '../../components/detail/detail.js';
import { ScannerText, SeenTimes, Weaknesses } from '../../components/finding/finding.js';
import { FindingDetail } from '../../components/finding/finding-detail.js';
import { ScanTable } from '../../components/finding/scan-table.js';
import { Fact, Facts } from '../../components/page/page.js';
import { Loaded } from '../../components/state/state.js';
import { Time } from '../../components/time/time.js';
import { WebLink } from '../../components/web-link/web-link.js';
import type { CodeFinding } from './columns.js';

const all = getRouteApi('/frame/code/$projectId/$findingId');
const ofProject = getRouteApi('/frame/projects/$projectId/code/$findingId');

export function CodeFindingPage() {
  return <ListedFinding {...all.useParams()} close={(look) => <Link to="/code" search={true} {...look} />} />;
}

export function ProjectCodeFindingPage() {
  const { projectId, findingId } = ofProject.useParams();
  return (
    <ListedFinding
      projectId={projectId}
      findingId={findingId}
      close={(look) => <Link to="/projects/$projectId/code" params={{ projectId }} search={true} {...look} />}
    />
  );
}

interface ListedFindingProps extends Pick<Parameters<typeof Detail>[0], 'close'> {
  readonly projectId: string;
  readonly findingId: string;
}

function ListedFinding({ projectId, findingId, close }: ListedFindingProps) {
  const input = { project_id: projectId, finding_id: findingId, state: 'all' } as const;
  const query = useQuery(api.sast.listFindings.queryOptions(input));
  return (
    <FindingDetail findingId={findingId} query={query} close={close}>
      {(finding) => <FindingFacts finding={finding} projectId={projectId} />}
    </FindingDetail>
  );
}

function FindingFacts({ finding, projectId }: { readonly finding: CodeFinding; readonly projectId: string }) {
  const { message, rule_id, help_url, source_repo, file, line, cwes, tool } = finding;
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
        <Fact name="Weakness">
          <Weaknesses cwes={cwes} />
        </Fact>
        <Fact name="Seen by">
          {tool}, <Time at={finding.last_seen_at} />
        </Fact>
        <Fact name="Seen">
          <SeenTimes {...finding} />
        </Fact>
      </Facts>
      <Scans finding={finding} projectId={projectId} />
    </>
  );
}

/** Scans looked through for those of this tool and repository. */
const lookedThrough = 100;

function Scans({ finding, projectId }: { readonly finding: CodeFinding; readonly projectId: string }) {
  const { tool, source_repo } = finding;
  const query = useQuery(api.sast.listScanJobs.queryOptions({ project_id: projectId, page_size: lookedThrough }));
  return (
    <DetailPart title="Scans of this repository by this tool">
      <Loaded query={query}>
        {({ items, total }) => {
          const scans = items.filter((job) => job.tool === tool && job.source_repo === source_repo);
          return (
            <>
              {scans.length > 0 && (
                <ScanTable
                  label="Scans"
                  scans={scans.map(({ id, status, tiers, finished_at, queued_at }) => ({
                    ...{ id, status, tiers },
                    at: finished_at ?? queued_at,
                    what: tool,
                  }))}
                />
              )}
              {(scans.length === 0 || total > items.length) && (
                <p>Looked through the project’s last {items.length} scans of code.</p>
              )}
            </>
          );
        }}
      </Loaded>
    </DetailPart>
  );
}
