import { useQuery } from '@tanstack/react-query';
import type { RouterOutputs } from '../../../../client/index.js';
import { api } from '../../../api/client.js';
import { CodeLink } from '../../../components/code-link/code-link.js';
import { Fact, Facts } from '../../../components/page/page.js';
import { Time } from '../../../components/time/time.js';
import { WebLink } from '../../../components/web-link/web-link.js';
import { ScannerText, SeenTimes, Weaknesses } from '../finding.js';
import { FindingDetail, useOpenFinding } from '../finding-detail.js';
import { FindingScans, lookedThrough } from '../finding-scans.js';

type CodeFinding = RouterOutputs['sast']['listFindings']['items'][number];

export function CodeFindingPage() {
  const query = useQuery(api.sast.listFindings.queryOptions(useOpenFinding()));
  return <FindingDetail domain="code" query={query} Facts={FindingFacts} />;
}

function FindingFacts({ finding, projectId }: { readonly finding: CodeFinding; readonly projectId: string }) {
  const jobs = useQuery(api.sast.listScanJobs.queryOptions({ project_id: projectId, page_size: lookedThrough }));
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
