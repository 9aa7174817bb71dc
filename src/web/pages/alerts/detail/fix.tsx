import { Link } from '@tanstack/react-router';
import { CopyText } from '../../../components/copy/copy-button.js';
import { counted } from '../../../components/number/number.js';
import { calendarDate } from '../../../components/time/format.js';
import type { Alert } from './answers.js';
import { Part } from './detail-part.js';
import { fixCommand } from './fix-command.js';
import { purlName } from './purl-name.js';

/** What to do about it. */
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
