import { useQuery } from '@tanstack/react-query';
import { api, client, type RouterOutputs, useList } from '../../../api/client.js';
import { DetailPart } from '../../../components/detail/detail.js';
import { count, counted } from '../../../components/format/format.js';
import { WebLink } from '../../../components/link/link.js';
import { Fact, Facts } from '../../../components/page/page.js';
import { scanModeWords } from '../../../words.js';
import { type FindingsOf, findingColumns, titleColumn } from '../columns.js';
import { FindingDetail, FindingScans, lookedThrough, ScannerFacts, ScannerText, useOpenFinding } from '../finding.js';
import { FindingsPage } from '../page.js';
import styles from './running-app.module.css';
import { Targets } from './targets.js';

const findingsOfRunningApps: FindingsOf<RouterOutputs['dast']['listFindings']['items'][number]> = {
  domain: 'running_app',
  columns: [
    findingColumns.tier,
    titleColumn('running_app'),
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
    return useList(api.dast.listFindings, client.dast.listFindings, input);
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

type AppFinding = RouterOutputs['dast']['listFindings']['items'][number];

export function RunningAppFindingPage() {
  const query = useQuery(api.dast.listFindings.queryOptions(useOpenFinding()));
  return <FindingDetail domain="running_app" query={query} Facts={FindingFacts} />;
}

function FindingFacts({ finding, projectId }: { readonly finding: AppFinding; readonly projectId: string }) {
  const jobs = useQuery(api.dast.listScanJobs.queryOptions({ project_id: projectId, page_size: lookedThrough }));
  const { description, solution, references, target_url, rule_id, confidence } = finding;
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
        <ScannerFacts {...finding} />
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

/** The place in the site where it was found, and the request. */
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
