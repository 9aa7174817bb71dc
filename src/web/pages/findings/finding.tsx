import type { UseQueryResult } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import type { RouterOutputs } from '../../api/client.js';
import { Tag, TierDot } from '../../components/badge/badge.js';
import { Detail, DetailPart } from '../../components/detail/detail.js';
import { type Scan, ScanTable } from '../../components/finding/scan-table.js';
import { WebLink } from '../../components/link/link.js';
import { Fact, Loaded } from '../../components/page/page.js';
import { listOf, useProjectId } from '../../components/posture/scope.js';
import { Time } from '../../components/tip/tip.js';
import { type Domain, findingStateWords, severityWords } from '../../words.js';
import styles from './finding.module.css';

export type FindingsDomain = Exclude<Domain, 'dependencies'>;

/** What findings of all domains have in common, as that of code has it. */
export type Finding = RouterOutputs['sast']['listFindings']['items'][number];

export function FindingState({ state }: { readonly state: Finding['state'] }) {
  const looks = { open: 'plain', fixed: 'good', suppressed: 'warn' } as const;
  return <Tag look={looks[state]}>{findingStateWords[state]}</Tag>;
}

/** Tier, severity and state in a line, as a detail begins. */
function FindingSummary({ tier, severity, state }: Pick<Finding, 'tier' | 'severity' | 'state'>) {
  return (
    <>
      <TierDot tier={tier} />
      <span>{severityWords[severity]} severity</span>
      <FindingState state={state} />
    </>
  );
}

/** CWE-89 as a link to what it means. */
function Weakness({ cwe }: { readonly cwe: string }) {
  const number = /^CWE-(\d+)$/i.exec(cwe)?.[1];
  if (number === undefined) return cwe;
  return <WebLink href={`https://cwe.mitre.org/data/definitions/${number}.html`}>{cwe}</WebLink>;
}

/** What scanners of code and of running apps say alike: the weakness, who saw it, and when. */
export function ScannerFacts({ cwes, tool, ...seen }: Pick<Finding, 'cwes' | 'tool'> & Seen) {
  return (
    <>
      <Fact name="Weakness">
        {cwes.length === 0 ? (
          'the rule names none'
        ) : (
          <ul className={styles.inline}>
            {cwes.map((cwe) => (
              <li key={cwe}>
                <Weakness cwe={cwe} />
              </li>
            ))}
          </ul>
        )}
      </Fact>
      <Fact name="Seen by">
        {tool}, <Time at={seen.last_seen_at} />
      </Fact>
      <Fact name="Seen">
        <SeenTimes {...seen} />
      </Fact>
    </>
  );
}

type Seen = Pick<Finding, 'first_seen_at' | 'last_seen_at' | 'fixed_at'>;

/** Since when it is known, and until when. */
export function SeenTimes({ first_seen_at, last_seen_at, fixed_at }: Seen) {
  return (
    <>
      first <Time at={first_seen_at} />, last <Time at={last_seen_at} />
      {fixed_at !== null && (
        <>
          , gone since the scan <Time at={fixed_at} />
        </>
      )}
    </>
  );
}

/** Text that a scanner wrote, with its line breaks. */
export function ScannerText({ children }: { readonly children: string }) {
  return <p className={styles.text}>{children}</p>;
}

/** The input of a list that has the finding of the address alone. */
export function useOpenFinding() {
  const { projectId = '', findingId = '' } = useParams({ strict: false });
  return { project_id: projectId, finding_id: findingId, state: 'all' } as const;
}

interface FindingDetailProps<Row> {
  readonly domain: FindingsDomain;
  readonly query: UseQueryResult<{ readonly items: readonly Row[] }, unknown>;
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

/** Scans looked through for those that concern a finding. */
export const lookedThrough = 100;

interface FindingScansProps<Job> {
  readonly title: string;
  readonly query: UseQueryResult<{ readonly items: readonly Job[]; readonly total: number }, unknown>;
  readonly concerns: (job: Job) => boolean;
  readonly scanOf: (job: Job) => Scan;
  /** As `the last 7 scans of code`. */
  readonly searched: (count: number) => string;
}

/** The scans that a finding came with, and those that came after it. */
export function FindingScans<Job>({ title, query, concerns, scanOf, searched }: FindingScansProps<Job>) {
  return (
    <DetailPart title={title}>
      <Loaded query={query}>
        {({ items, total }) => {
          const scans = items.filter(concerns).map(scanOf);
          return (
            <>
              {scans.length > 0 && <ScanTable label="Scans" scans={scans} />}
              {(scans.length === 0 || total > items.length) && <p>Looked through {searched(items.length)}.</p>}
            </>
          );
        }}
      </Loaded>
    </DetailPart>
  );
}
