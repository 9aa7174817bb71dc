import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, type RouterOutputs } from '../../../api/client.js';
import { calendarDate, percent } from '../../../components/format/format.js';
import { WebLink } from '../../../components/link/link.js';
import { Fact, Facts } from '../../../components/page/page.js';
import { Time } from '../../../components/tip/tip.js';
import { layerMeanings } from '../../../words.js';
import { FindingDetail, SeenTimes, useOpenFinding } from '../finding.js';
import styles from './images.module.css';

export default function ImageFindingPage() {
  const query = useQuery(api.containers.listFindings.queryOptions(useOpenFinding()));
  return <FindingDetail domain="containers" query={query} Facts={FindingFacts} />;
}

interface FindingFactsProps {
  readonly finding: RouterOutputs['containers']['listFindings']['items'][number];
  readonly projectId: string;
}

function FindingFacts({ finding, projectId }: FindingFactsProps) {
  const { package: where, path, fixed_version, vendor_severity, cvss_score, epss, kev, layer } = finding;
  return (
    <Facts>
      <Fact name="Vulnerability">
        <WebLink href={`https://osv.dev/vulnerability/${encodeURIComponent(finding.vulnerability_id)}`}>
          {finding.vulnerability_id}
        </WebLink>
      </Fact>
      <Fact name="Package">
        {where.name} {where.version} <span className={styles.quiet}>({where.type})</span>
      </Fact>
      <Fact name="Fix">
        {fixed_version === null
          ? 'no fixed version is known to the scanners'
          : `the scanners name ${fixed_version} as fixed`}
      </Fact>
      <Fact name="Path">{path === null ? 'one of the system’s packages' : <code>{path}</code>}</Fact>
      <Fact name="Layer">{layerMeanings[layer]}</Fact>
      <Fact name="Image">
        <Link to="/projects/$projectId/images/image/$imageId" params={{ projectId, imageId: finding.image_id }}>
          {finding.image_ref}
        </Link>
      </Fact>
      <Fact name="Exploited">
        {kev === null
          ? 'not in the catalogue of known exploited vulnerabilities'
          : `known, in the catalogue since ${calendarDate(kev.date_added)}${kev.ransomware ? ', used by ransomware' : ''}`}
      </Fact>
      <Fact name="EPSS">
        {epss === null
          ? 'unknown: no score for it'
          : `${percent(epss.probability)} within 30 days (percentile ${percent(epss.percentile)}), of ${calendarDate(epss.date)}`}
      </Fact>
      <Fact name="CVSS">{cvss_score === null ? 'the reports give none' : `${cvss_score} of 10`}</Fact>
      <Fact name="Vendor says">
        {vendor_severity === null
          ? 'nothing'
          : `${vendor_severity.severity}${vendor_severity.source === null ? '' : `, ${vendor_severity.source}`}`}
      </Fact>
      <Fact name="Seen by">
        <ul>
          {finding.seen_by.map(({ tool, last_seen_at }) => (
            <li key={tool}>
              {tool}, <Time at={last_seen_at} />
            </li>
          ))}
        </ul>
      </Fact>
      <Fact name="Seen">
        <SeenTimes {...finding} />
      </Fact>
    </Facts>
  );
}
