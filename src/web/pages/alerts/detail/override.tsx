import { useState } from 'react';
import { client } from '../../../api/client.js';
import { useMay } from '../../../api/session.js';
import { BandBadge, Priority, Tag } from '../../../components/badge/badge.js';
import { Button } from '../../../components/button/button.js';
import { ConfirmAction } from '../../../components/dialog/dialog.js';
import { Fact, Facts } from '../../../components/page/page.js';
import { Time } from '../../../components/tip/tip.js';
import { overrideWords } from '../../../words.js';
import styles from './detail.module.css';
import { type Alert, Part, type Verdict } from './detail-part.js';
import { ChangedMeanwhile, OverrideDialog, showVerdict } from './override-dialog.js';

/** The machine's verdict beside what a person ruled, and the ways to rule and to clear. */
export function Override({ alert, verdict }: { readonly alert: Alert; readonly verdict: Verdict }) {
  const [isAsking, setIsAsking] = useState(false);
  const [isClearing, setIsClearing] = useState(false);
  const may = useMay(verdict.project_id);
  const { machine, override } = verdict;
  return (
    <Part
      title="Verdict"
      actions={
        <div className={styles.actions}>
          {may('reachability.overrideVerdict') && (
            <Button size="small" onClick={() => setIsAsking(true)}>
              {override === null ? 'Override' : 'Change'}
            </Button>
          )}
          {override !== null && may('reachability.clearOverride') && (
            <Button size="small" onClick={() => setIsClearing(true)}>
              Clear
            </Button>
          )}
        </div>
      }
    >
      <Facts>
        <Fact name="Machine">
          <span className={styles.marks}>
            <BandBadge band={machine.band} />
            <Priority
              value={machine.effective_priority}
              source="The machine’s EffectivePriority. The score below shows its factors."
            />
          </span>
        </Fact>
        <Fact name="Override">
          {override === null ? 'none: the machine’s verdict counts' : <Ruled override={override} />}
        </Fact>
      </Facts>
      <OverrideDialog
        // Opened again it begins with nothing typed.
        key={isAsking ? 'open' : 'closed'}
        verdict={verdict}
        open={isAsking}
        onClose={() => setIsAsking(false)}
      />
      <ConfirmAction
        target={
          isClearing
            ? { project_id: verdict.project_id, verdict_id: verdict.id, expected_revision: verdict.revision }
            : null
        }
        onClose={() => setIsClearing(false)}
        title={() => 'Clear the override?'}
        description={(_, { error, reset }) => (
          <>
            <p>
              The machine’s verdict on {alert.cve ?? alert.title} counts again: {machine.effective_priority.toFixed(1)}{' '}
              as it is now. The override’s reason stays in the history.
            </p>
            <ChangedMeanwhile error={error} verdict={verdict} onReloaded={reset} />
          </>
        )}
        action="Clear override"
        send={client.reachability.clearOverride.mutate}
        done={() => 'Override cleared: the machine’s verdict counts'}
        onDone={showVerdict}
      />
    </Part>
  );
}

function Ruled({ override }: { readonly override: NonNullable<Verdict['override']> }) {
  const { verdict, reason, set_by, set_at, expires_at, evidence_changed_since_override } = override;
  return (
    <>
      <p>
        <strong>{overrideWords[verdict]}</strong>, by {set_by} <Time at={set_at} />
        {expires_at === null ? (
          ', until it is cleared'
        ) : (
          <>
            , ends <Time at={expires_at} />
          </>
        )}
      </p>
      <blockquote className={styles.reason}>{reason}</blockquote>
      {evidence_changed_since_override && (
        <p>
          <Tag look="warn">Look again</Tag> The evidence has changed since this was decided.
        </p>
      )}
    </>
  );
}
