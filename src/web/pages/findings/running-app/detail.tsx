import { useQuery } from '@tanstack/react-query';
import type { RouterOutputs } from '../../../../client/index.js';
import { api } from '../../../api/client.js';
import { DetailPart } from '../../../components/detail/detail.js';
import { counted } from '../../../components/number/number.js';
import { Fact, Facts } from '../../../components/page/page.js';
import { Time } from '../../../components/time/time.js';
import { WebLink } from '../../../components/web-link/web-link.js';
import { scanModeWords } from '../../../words.js';
import { ScannerText, SeenTimes, Weaknesses } from '../finding.js';
import { FindingDetail, useOpenFinding } from '../finding-detail.js';
import { FindingScans, lookedThrough } from '../finding-scans.js';
import styles from './running-app.module.css';

type AppFinding = RouterOutputs['dast']['listFindings']['items'][number];

export function RunningAppFindingPage() {
  const query = useQuery(api.dast.listFindings.queryOptions(useOpenFinding()));
  return <FindingDetail domain="running_app" query={query} Facts={FindingFacts} />;
}

function FindingFacts({ finding, projectId }: { readonly finding: AppFinding; readonly projectId: string }) {
  const jobs = useQuery(api.dast.listScanJobs.queryOptions({ project_id: projectId, page_size: lookedThrough }));
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
      <FindingScans
        title="Scans of this site"
        query={jobs}
        concerns={(job) => job.target_url === target_url}
        scanOf={(job) => ({
          ...{ id: job.id, status: job.status, tiers: job.tiers },
          at: job.finished_at ?? job.started_at,
          what: `${job.tool}, ${scanModeWords[job.mode]}`,
        })}
        searched={(count) => `the last ${count} scans of running apps`}
      />
    </>
  );
}

/** Where in the site it was found, and with what request. */
function Instances({ finding: { instances, instance_count } }: { readonly finding: AppFinding }) {
  return (
    <DetailPart title={`Found in ${counted(instance_count, 'place')}`}>
      <ul className={styles.instances}>
        {instances.map(({ url, method, parameter, attack, evidence }) => (
          <li key={`${method} ${url} ${parameter} ${attack} ${evidence}`}>
            <code>
              {method} {url}
            </code>
            <dl>
              <Line name="Parameter" text={parameter ?? undefined} />
              <Line name="Attack" text={attack} />
              <Line name="Evidence" text={evidence} />
            </dl>
          </li>
        ))}
      </ul>
      {instance_count > instances.length && (
        <p>
          {counted(instance_count - instances.length, 'further place')}{' '}
          {instance_count - instances.length === 1 ? 'is' : 'are'} only counted.
        </p>
      )}
    </DetailPart>
  );
}

function Line({ name, text }: { readonly name: string; readonly text: string | undefined }) {
  if (text === undefined || text === '') return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <code>{text}</code>
      </dd>
    </div>
  );
}
