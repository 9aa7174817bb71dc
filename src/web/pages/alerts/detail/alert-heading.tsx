import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useMay } from '../../../api/session.js';
import { BandBadge, Priority, Tag, TierDot } from '../../../components/badge/badge.js';
import { Button } from '../../../components/button/button.js';
import { CopyText } from '../../../components/copy/copy-button.js';
import { calendarDate, counted } from '../../../components/format/format.js';
import { VulnerabilityLink } from '../../../components/link/link.js';
import { Time } from '../../../components/tip/tip.js';
import { resolutionWords } from '../../../words.js';
import { AcknowledgeDialog, useAcknowledge, useTakeBack } from '../acknowledge.js';
import styles from './detail.module.css';
import { type Alert, Part } from './detail-part.js';
import { fixCommand } from './fix-command.js';
import { purlName } from './purl-name.js';

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

export function Fix({ alert }: { readonly alert: Alert }) {
  const {
    fix,
    no_fix,
    project_id,
    safe_version_status,
    package: { ecosystem, name },
  } = alert;
  if (fix === null) {
    return (
      <Part title="Fix">
        <p>
          {no_fix === 'resolved'
            ? 'The alert is resolved: nothing is left to do.'
            : no_fix === 'old_advisories'
              ? `The advisories are over 7 days old or not complete: no version of ${name} is called safe by them.`
              : `No version of ${name} is known to be safe. Replace it, or keep what is vulnerable out of reach.`}
        </p>
      </Part>
    );
  }
  return (
    <Part title="Fix">
      <p>
        Upgrade <strong>{fix.package}</strong> {fix.from.join(', ')} <span aria-hidden="true">→</span>
        <span className="visually-hidden">to</span> <strong>{fix.to}</strong>
        {safe_version_status === 'unverified' && ', if it was published: nothing here shows it'}. No advisory of{' '}
        {calendarDate(fix.as_of.toISOString().slice(0, 10))} or before affects it, so it closes{' '}
        {counted(fix.closes_alerts, 'alert')}.
        {fix.direct !== null && fix.is_direct !== true && (
          <> {purlName(fix.direct)} brings it in: it must allow the new version, or be upgraded itself.</>
        )}
        {fix.direct === null && fix.is_direct === false && <> Another package brings it in; which one is not known.</>}
      </p>
      {fix.is_direct === true ? (
        <CopyText
          text={fixCommand({ ecosystem, name: fix.package, to: fix.to })}
          label={`the command that upgrades ${fix.package}`}
        />
      ) : (
        <p>
          {fix.is_direct === null &&
            'Whether the project asks for it itself is not known: a sync of its lock file says so. '}
          Which file to change, and how:{' '}
          <Link to="/projects/$projectId/fixes" params={{ projectId: project_id }}>
            the plan of fixes
          </Link>
          .
        </p>
      )}
    </Part>
  );
}
