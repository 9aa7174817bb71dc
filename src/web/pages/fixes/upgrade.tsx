import { Link } from '@tanstack/react-router';
import { Tag } from '../../components/badge/badge.js';
import { CopyButton } from '../../components/copy/copy-button.js';
import { count, counted } from '../../components/format/format.js';
import { CodeLink } from '../../components/link/link.js';
import { packageText } from '../../components/posture/package-text.js';
import type { FixPlan } from './answer.js';
import styles from './fixes.module.css';

type Upgrade = FixPlan['upgrades'][number];
type Step = Upgrade['steps'][number];

const hows: Readonly<Record<Step['how'], string>> = {
  direct: 'a dependency of the project itself',
  override: 'brought in by others, and no upgrade of theirs is known to bring a good one, so it is overridden',
  unknown: 'no source says whether the project asks for it itself',
};

interface UpgradeItemProps {
  readonly upgrade: Upgrade;
  readonly projectId: string;
  readonly repo: string | null;
}

/** One upgrade: what it closes, each version with its target, the files to change, and where the code imports it. */
export function UpgradeItem({ upgrade, projectId, repo }: UpgradeItemProps) {
  const {
    package: name,
    scope,
    closes,
    may_close: mayClose,
    leaves,
    known_exploited: exploited,
    priority,
    sites,
    fixes,
    more_fixes: moreFixes,
  } = upgrade;
  return (
    <li>
      <h3 className={styles.name}>
        <Link to="/projects/$projectId/alerts" params={{ projectId }} search={{ package: name }}>
          {name}
        </Link>
        {scope !== null && <Tag>{scope}</Tag>}
        {exploited > 0 && <Tag look="danger">{count(exploited)} known exploited</Tag>}
      </h3>
      <p>
        Closes {counted(closes, 'alert')}
        {mayClose > 0 && `, and ${count(mayClose)} more may close`}
        {priority !== null && `, EffectivePriority ${priority.toFixed(1)} in sum`}
        {leaves > 0 && `; ${count(leaves)} of the package ${leaves === 1 ? 'stays' : 'stay'} open`}.
      </p>
      {fixes.length > 0 && (
        <p className={styles.quiet}>
          It brings a good version of {fixes.join(', ')}
          {moreFixes > 0 && ` and ${count(moreFixes)} more`}.
        </p>
      )}
      <ul className={styles.steps} aria-label={`Steps for ${name}`}>
        {upgrade.steps.map((step) => (
          <StepItem key={step.from} step={step} />
        ))}
      </ul>
      {upgrade.more_steps > 0 && <p>And {counted(upgrade.more_steps, 'version')} more.</p>}
      <Sites sites={sites} repo={repo} />
    </li>
  );
}

function StepItem({
  step: { from, to, status, jump, how, all_versions, brought_by, edits, more_files },
}: {
  readonly step: Step;
}) {
  return (
    <li>
      <span className={styles.versions}>
        {from} → <strong>{to}</strong> <JumpTag jump={jump} />
      </span>
      <span className={styles.quiet}>
        {hows[how]}
        {status === 'unverified' && `; nothing here shows that ${to} was published`}
        {all_versions && '; this replaces all its installed versions'}
        {brought_by !== null && `; the nearest direct dependency is ${packageText(brought_by)}`}
      </span>
      {edits.map(({ file, change }) => (
        <span key={`${file} ${change}`} className={styles.edit}>
          <code>{file}</code>
          <code className={styles.change}>{change}</code>
          <CopyButton text={change} label={`the change of ${file}`} />
        </span>
      ))}
      {edits.length === 0 && <span className={styles.quiet}>Which file to change is not known.</span>}
      {more_files > 0 && <span className={styles.quiet}>And {counted(more_files, 'file')} more.</span>}
    </li>
  );
}

function JumpTag({ jump }: Pick<Step, 'jump'>) {
  if (jump === 'major') return <Tag look="warn">major: may break</Tag>;
  return <Tag>{jump === 'unknown' ? 'size of the step not known' : jump}</Tag>;
}

function Sites({ sites, repo }: Pick<Upgrade, 'sites'> & { readonly repo: string | null }) {
  if (sites === null)
    return <p className={styles.quiet}>Where it is imported is not known: no usage report says it.</p>;
  if (sites.total === 0) return <p className={styles.quiet}>The usage report knows no import of it.</p>;
  return (
    <p>
      Look at{' '}
      {sites.first.map((site, nth) => {
        const end = site.lastIndexOf(':');
        return (
          <span key={site}>
            {nth > 0 && ', '}
            <CodeLink repo={repo} file={site.slice(0, end)} line={Number(site.slice(end + 1))} />
          </span>
        );
      })}
      {sites.total > sites.first.length && ` and ${counted(sites.total - sites.first.length, 'more place')}`}.
    </p>
  );
}
