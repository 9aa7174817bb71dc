import { CopyText } from '../../../components/copy/copy-button.js';
import { counted } from '../../../components/number/number.js';
import type { Alert } from './answers.js';
import { Part } from './detail-part.js';
import { fixCommand } from './fix-command.js';
import { purlName } from './purl-name.js';

/** What to do about it. */
export function Fix({ alert }: { readonly alert: Alert }) {
  const {
    fix,
    no_fix,
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
  const isDirect = fix.is_direct !== false;
  return (
    <Part title="Fix">
      <p>
        Upgrade <strong>{fix.package}</strong> {fix.from.join(', ')} <span aria-hidden="true">→</span>
        <span className="visually-hidden">to</span> <strong>{fix.to}</strong>, which closes{' '}
        {counted(fix.closes_alerts, 'alert')}.
        {fix.direct !== null && !isDirect && (
          <> {purlName(fix.direct)} brings it in: it must allow the new version, or be upgraded itself.</>
        )}
        {fix.direct === null && !isDirect && <> Another package brings it in; which one is not known.</>}
      </p>
      {fix.is_direct === null ? (
        <p>
          Whether the project asks for it itself is not known, so no command is sure: sync its lock file, and see the
          plan of fixes.
        </p>
      ) : (
        <CopyText
          text={fixCommand({ ecosystem, name: fix.package, to: fix.to, isDirect })}
          label={`the command that upgrades ${fix.package}`}
        />
      )}
    </Part>
  );
}
