import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { api } from '../../api/client.js';
import { type Detail, DetailPart } from '../../components/detail/detail.js';
import { ScannerText, SeenTimes, Weaknesses } from '../../components/finding/finding.js';
import { FindingDetail } from '../../components/finding/finding-detail.js';
import { Fact, Facts } from '../../components/page/page.js';
import { Time } from '../../components/time/time.js';
import { WebLink } from '../../components/web-link/web-link.js';
import type { AppFinding } from './columns.js';
import { Instances } from './instances.js';
import { SiteScans } from './site-scans.js';

const all = getRouteApi('/frame/running-app/$projectId/$findingId');
const ofProject = getRouteApi('/frame/projects/$projectId/running-app/$findingId');

export function RunningAppFindingPage() {
  return <ListedFinding {...all.useParams()} close={(look) => <Link to="/running-app" search={true} {...look} />} />;
}

export function ProjectRunningAppFindingPage() {
  const { projectId, findingId } = ofProject.useParams();
  return (
    <ListedFinding
      projectId={projectId}
      findingId={findingId}
      close={(look) => <Link to="/projects/$projectId/running-app" params={{ projectId }} search={true} {...look} />}
    />
  );
}

interface ListedFindingProps extends Pick<Parameters<typeof Detail>[0], 'close'> {
  readonly projectId: string;
  readonly findingId: string;
}

function ListedFinding({ projectId, findingId, close }: ListedFindingProps) {
  const input = { project_id: projectId, finding_id: findingId, state: 'all' } as const;
  const query = useQuery(api.dast.listFindings.queryOptions(input));
  return (
    <FindingDetail findingId={findingId} query={query} close={close}>
      {(finding) => <FindingFacts finding={finding} projectId={projectId} />}
    </FindingDetail>
  );
}

function FindingFacts({ finding, projectId }: { readonly finding: AppFinding; readonly projectId: string }) {
  const { description, solution, references, target_url, rule_id, cwes, tool, confidence } = finding;
  return (
    <>
      {description !== null && <ScannerText>{description}</ScannerText>}
      {solution !== null && (
        <DetailPart title="What to do">
          <ScannerText>{solution}</ScannerText>
        </DetailPart>
      )}
      <Facts>
        <Fact name="Site">
          <WebLink href={target_url} />
        </Fact>
        <Fact name="Rule">
          <code>{rule_id}</code>
        </Fact>
        <Fact name="Confidence">{confidence ?? 'the report gives none'}</Fact>
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
      <Instances finding={finding} />
      {references.length > 0 && (
        <DetailPart title="References">
          <ul>
            {references.map((href) => (
              <li key={href} style={{ overflowWrap: 'anywhere' }}>
                <WebLink href={href} />
              </li>
            ))}
          </ul>
        </DetailPart>
      )}
      <SiteScans finding={finding} projectId={projectId} />
    </>
  );
}
