import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useMay } from '../../../api/may.js';
import { BandBadge, Tag, TierDot } from '../../../components/badge/badge.js';
import { Button } from '../../../components/button/button.js';
import { Priority } from '../../../components/priority/priority.js';
import { Time } from '../../../components/time/time.js';
import { VulnerabilityLink } from '../../../components/vulnerability-link/vulnerability-link.js';
import { resolutionWords } from '../../../words.js';
import { useAcknowledge, useTakeBack } from '../acknowledge.js';
import { AcknowledgeDialog } from '../acknowledge-dialog.js';
import type { Alert } from './answers.js';
import styles from './detail.module.css';

interface AlertHeadingProps {
  readonly alert: Alert;
  readonly projectName: string | undefined;
}

/** What it is, what it means here, who has seen it. */
export function AlertHeading({ alert, projectName }: AlertHeadingProps) {
  const { title, cve, advisory_ids, tier, band, kev, verdict, malicious, project_id } = alert;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${cve ?? title} · Postern`;
    // Who opened it from the list goes on reading here.
    const { activeElement } = document;
    if (activeElement === document.body || activeElement?.matches('[data-row-link]')) {
      heading.current?.focus({ preventScroll: true });
    }
  }, [cve, title]);
  return (
    <header className={styles.heading}>
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      <div className={styles.marks}>
        <TierDot tier={tier} />
        <BandBadge band={band} />
        <Priority value={verdict?.effective_priority ?? null} />
        {malicious && <Tag look="danger">malicious</Tag>}
        {kev !== null && band !== 'known_exploited' && <Tag look="danger">known exploited</Tag>}
      </div>
      <div className={styles.marks}>
        {[...new Set([...(cve === null ? [] : [cve]), ...advisory_ids])].map((id) => (
          <VulnerabilityLink key={id} id={id} />
        ))}
        <Link to="/projects/$projectId" params={{ projectId: project_id }}>
          {projectName ?? 'The project'}
        </Link>
      </div>
      <Status alert={alert} />
    </header>
  );
}

function Status({ alert }: { readonly alert: Alert }) {
  const { status, acknowledged, resolved_at, resolution, first_seen_at } = alert;
  const acknowledge = useAcknowledge();
  const takeBack = useTakeBack();
  const may = useMay(alert.project_id);
  const [isAsking, setIsAsking] = useState(false);
  if (status === 'resolved') {
    return (
      <p className={styles.status}>
        Resolved {resolved_at !== null && <Time at={resolved_at} />}
        {resolution !== null && `: ${resolutionWords[resolution]}`}. First seen <Time at={first_seen_at} />.
      </p>
    );
  }
  return (
    <div className={styles.status}>
      {acknowledged === null ? (
        <p>
          Open since <Time at={first_seen_at} />.
        </p>
      ) : (
        <p>
          Acknowledged by {acknowledged.by} <Time at={acknowledged.at} />
          {acknowledged.note !== null && <q className={styles.note}>{acknowledged.note}</q>}
        </p>
      )}
      {acknowledged === null && may('alerts.acknowledgeMany') && (
        <Button size="small" onClick={() => setIsAsking(true)}>
          Acknowledge
        </Button>
      )}
      {acknowledged !== null && may('alerts.unacknowledgeMany') && (
        <Button size="small" onClick={() => takeBack.mutate([alert])}>
          Take back
        </Button>
      )}
      <AcknowledgeDialog
        rows={[alert]}
        open={isAsking}
        onClose={() => setIsAsking(false)}
        onSend={(note) => acknowledge.mutate({ rows: [alert], note })}
      />
    </div>
  );
}
