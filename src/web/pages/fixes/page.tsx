import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { api } from '../../api/client.js';
import { TierCounts, TierDot } from '../../components/badge/badge.js';
import { CopyText } from '../../components/copy/copy-button.js';
import { ourCommand } from '../../components/copy/our-command.js';
import { Coverage } from '../../components/coverage/coverage.js';
import { count, counted } from '../../components/format/format.js';
import { Fact, Facts, Loaded, Page, Section } from '../../components/page/page.js';
import { packageText } from '../../components/posture/package-text.js';
import { type FixPlan, fixesAnswer } from './answer.js';
import styles from './fixes.module.css';
import { UpgradeItem } from './upgrade.js';

const route = getRouteApi('/frame/projects/$projectId/fixes');

const limit = 25;

const whys: Readonly<Record<FixPlan['stays_open']['worst'][number]['why'], string>> = {
  no_safe_version: 'no safe version is known',
  old_advisories: 'the advisories are too old to call a version safe',
  newer_parent: 'only a newer version of what brings it in can fix it',
  unreadable_version: 'its version cannot be compared',
  carries_others: 'its archive carries others, unknown of a newer one: upgrade it alone, then sync',
  bundled: 'it comes in the archive of another package',
  parent_moves: 'it may close, as what brings it in moves',
};

export default function FixesPage() {
  const { projectId } = route.useParams();
  const query = useQuery(api.remediation.plan.queryOptions({ project_id: projectId, limit }));
  const project = useQuery(api.projects.get.queryOptions({ project_id: projectId }));
  const answer = query.data ? fixesAnswer(query.data) : 'The upgrades that close most.';
  return (
    <Page title="Fixes" answer={answer}>
      <Loaded query={query}>
        {(plan) => <Plan plan={plan} projectId={projectId} repo={project.data?.repo ?? null} />}
      </Loaded>
    </Page>
  );
}

interface PlanProps {
  readonly plan: FixPlan;
  readonly projectId: string;
  readonly repo: string | null;
}

function Plan({ plan, projectId, repo }: PlanProps) {
  const { refresh, upgrades, unnamed, base_images, proof, run } = plan;
  return (
    <>
      {refresh !== null && <RefreshSection refresh={refresh} />}
      {upgrades.length > 0 && (
        <Section title="Upgrades, those first that close most">
          <ol className={styles.upgrades}>
            {upgrades.map((upgrade) => (
              <UpgradeItem key={`${upgrade.ecosystem} ${upgrade.package}`} {...{ upgrade, projectId, repo }} />
            ))}
          </ol>
          {unnamed.upgrades > 0 && (
            <p>
              {counted(unnamed.upgrades, 'more upgrade')} close {counted(unnamed.closes, 'alert')}.
            </p>
          )}
        </Section>
      )}
      {base_images.items.length > 0 && <BaseImages items={base_images.items} projectId={projectId} />}
      <StaysOpen plan={plan} projectId={projectId} />
      <Section title="Proof">
        <p>
          The upgrades were made in the graph of the lock files, and every version was matched with the advisories
          again.
        </p>
        <Facts>
          <Fact name="Open now">{count(proof.open)}</Fact>
          <Fact name="Closed by the plan">{count(proof.closes)}</Fact>
          {proof.may_close > 0 && <Fact name="May close">{count(proof.may_close)}</Fact>}
          <Fact name="Open after it">{count(proof.left - proof.not_planned)}</Fact>
          {proof.not_planned > 0 && <Fact name="Not planned">{count(proof.not_planned)}</Fact>}
        </Facts>
        {proof.may_close > 0 && (
          <p>What may close depends on what the new versions bring, or on what the package manager decides.</p>
        )}
        {run.map(({ lockfile, delete_entries: entries, commands }) => (
          <div key={lockfile}>
            <p>
              After the edits, beside <code>{lockfile}</code>:
            </p>
            {entries.length > 0 && (
              <p>
                Delete its {counted(entries.length, 'entry', 'entries')} of <code>{entries.join(', ')}</code>, then:
              </p>
            )}
            <CopyText text={commands.join(' && ')} label={`the commands beside ${lockfile}`} />
          </div>
        ))}
        <p>What the new versions bring in besides is not known. The next sync shows it:</p>
        <CopyText text={ourCommand(`reach sync . --project ${projectId}`)} label="the command that syncs" />
      </Section>
      <Coverage coverage={plan.coverage} />
    </>
  );
}

function RefreshSection({ refresh }: { readonly refresh: NonNullable<FixPlan['refresh']> }) {
  const { packages, more_packages: more, closes, may_close: mayClose, known_exploited: exploited } = refresh;
  return (
    <Section title="First, with no file to edit">
      <p>
        Newer versions inside the ranges close {counted(closes, 'alert')}
        {mayClose > 0 && `, and ${count(mayClose)} more may close`}
        {exploited > 0 && `; ${count(exploited)} known exploited`}: {packages.join(', ')}
        {more > 0 && ` and ${count(more)} more`}. The commands below renew them.
      </p>
    </Section>
  );
}

function BaseImages({
  items,
  projectId,
}: {
  readonly items: FixPlan['base_images']['items'];
  readonly projectId: string;
}) {
  return (
    <Section title="Base images">
      <ul className={styles.upgrades}>
        {items.map(({ image_id, image, from, to, delta, why, edit }) => (
          <li key={image_id}>
            <h3 className={styles.name}>
              <Link to="/projects/$projectId/images/image/$imageId" params={{ projectId, imageId: image_id }}>
                {image}
              </Link>
              <TierCounts counts={delta} signed />
            </h3>
            <p>
              <code>{from}</code> → <code>{to}</code>
            </p>
            <p className={styles.quiet}>{why}</p>
            {edit !== null && (
              <p>
                <code>{`${edit.file}:${edit.line}`}</code> <code className={styles.change}>{edit.change}</code>
              </p>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function StaysOpen({ plan: { stays_open }, projectId }: Omit<PlanProps, 'repo'>) {
  const { total, worst } = stays_open;
  if (total === 0) return null;
  return (
    <Section title="Stays open">
      <ul className={styles.stays}>
        {worst.map(({ alert_id, vulnerability, package: name, versions, tier, why, to, bundled_in }) => (
          <li key={alert_id}>
            <TierDot tier={tier} />{' '}
            <Link to="/projects/$projectId/alerts/$alertId" params={{ projectId, alertId: alert_id }}>
              {vulnerability}
            </Link>{' '}
            {name} {versions.join(', ')}: {whys[why]}
            {to !== null && ` (${to})`}
            {bundled_in !== null && `, ${packageText(bundled_in)}`}
          </li>
        ))}
      </ul>
      {total > worst.length && <p>And {count(total - worst.length)} more.</p>}
    </Section>
  );
}
