import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { api, type RouterInputs, type RouterOutputs } from '../../api/client.js';
import { Tag, TierDot } from '../../components/badge/badge.js';
import { FilterSelect } from '../../components/chips/chips.js';
import { Coverage } from '../../components/coverage/coverage.js';
import { counted } from '../../components/format/format.js';
import { VulnerabilityLink } from '../../components/link/link.js';
import { Card, Empty, Loaded, Page, Section, Skeleton } from '../../components/page/page.js';
import { type ResultGroup, resultGroups } from '../../frame/search-groups.js';
import { type Asked, askedBy, nameIn } from './asked.js';
import { ecosystemNames } from './ecosystems.js';
import { Exposed } from './exposed.js';
import { safeVersionText } from './safe-version-text.js';
import styles from './search.module.css';

const route = getRouteApi('/frame/search');

/** Everything with a name, and whether we are exposed to a vulnerability or a version of a package. */
export default function SearchPage() {
  const { q = '' } = route.useSearch();
  if (q.length < 2) {
    return (
      <Page title="Search">
        <Empty title="Nothing is searched for yet.">
          <p>
            Type in the box above: a CVE such as CVE-2021-44228, a package, with its version such as lodash@4.17.11 to
            check it, a project, an image, or a part of a finding’s title.
          </p>
        </Empty>
      </Page>
    );
  }
  return <Results key={q} q={q} />;
}

const countedUpTo = 100;

function Results({ q }: { readonly q: string }) {
  const asked = askedBy(q);
  const found = useQuery(api.intelligence.search.queryOptions({ q: nameIn(q) }));
  const groups = found.data && resultGroups(found.data);
  return (
    <Page title={q} answer={groups && foundText(groups)}>
      {asked.kind === 'vulnerability' && <Exposed id={asked.id} />}
      {(asked.kind === 'purl' || asked.kind === 'version') && (
        <CheckedPackage asked={asked} tracked={found.data?.packages.items ?? []} />
      )}
      <Loaded query={found} skeleton={<Skeleton rows={6} />}>
        {(data) => resultGroups(data).map((group) => <Group key={group.label} group={group} />)}
      </Loaded>
    </Page>
  );
}

function foundText(groups: readonly ResultGroup[]): string {
  if (groups.length === 0) {
    return 'No project, tracked package, loaded advisory, image or finding has this in its name. What was never uploaded or loaded is not searched.';
  }
  const parts = groups.map(({ label, one, total }) =>
    total >= countedUpTo ? `${total} or more ${label.toLowerCase()}` : counted(total, one, label.toLowerCase()),
  );
  return `Found by name: ${parts.join(', ')}.`;
}

function Group({ group: { label, items, total } }: { readonly group: ResultGroup }) {
  return (
    <Section title={label}>
      <ul className={styles.results}>
        {items.map(({ key, name, about, link }) => (
          <li key={key}>
            <Link {...link}>{name}</Link>
            <span>{about}</span>
          </li>
        ))}
      </ul>
      {total > items.length && (
        <p className={styles.more}>
          The first {items.length} of {total >= countedUpTo ? `${total} or more` : counted(total, 'result')}. Type more
          of the name to reach the others.
        </p>
      )}
    </Section>
  );
}

type Checked = RouterOutputs['intelligence']['checkPackage'];
type Input = RouterInputs['intelligence']['checkPackage'];
type Tracked = RouterOutputs['intelligence']['search']['packages']['items'];

interface CheckedPackageProps {
  readonly asked: Extract<Asked, { kind: 'purl' | 'version' }>;
  /** Packages of that name that are tracked: their ecosystem is most likely the one that is meant. */
  readonly tracked: Tracked;
}

/** Whether a version of a package is affected by anything that is known. */
function CheckedPackage({ asked, tracked }: CheckedPackageProps) {
  const { q, ecosystem: given } = route.useSearch();
  const navigate = useNavigate();
  const sameName = tracked.find(({ name }) => asked.kind === 'version' && name === asked.name);
  const ecosystem = asked.kind === 'version' ? (given ?? sameName?.ecosystem) : undefined;
  const input = inputOf(asked, ecosystem);
  const query = useQuery({ ...api.intelligence.checkPackage.queryOptions(input ?? {}), enabled: input !== null });
  const title = asked.kind === 'purl' ? asked.purl : `${asked.name} ${asked.version}`;
  return (
    <Section
      title={`Is ${title} affected?`}
      actions={
        asked.kind === 'version' && (
          <FilterSelect
            label="Ecosystem"
            value={ecosystem}
            options={ecosystemNames}
            all="choose"
            onChange={(chosen) => navigate({ to: '/search', search: { q, ecosystem: chosen } })}
          />
        )
      }
    >
      {input === null ? (
        <Card>Choose the ecosystem: no project tracks a package of this name, and several could have one.</Card>
      ) : (
        <Loaded query={query} skeleton={<Skeleton rows={3} />}>
          {(checked) => <Answer checked={checked} />}
        </Loaded>
      )}
    </Section>
  );
}

function inputOf(
  asked: CheckedPackageProps['asked'],
  ecosystem: keyof typeof ecosystemNames | undefined,
): Input | null {
  if (asked.kind === 'purl') return { purl: asked.purl };
  return ecosystem === undefined ? null : { ecosystem, name: asked.name, version: asked.version };
}

function Answer({ checked }: { readonly checked: Checked }) {
  const { advisories, total, health, coverage } = checked;
  return (
    <Card>
      <div className={styles.verdict}>
        <p>
          <strong>{answerText(checked)}</strong> {safeVersionText(checked)}
        </p>
        <p className={styles.marks}>
          {health.malicious && <Tag look="danger">malicious</Tag>}
          {health.deprecated !== null && <Tag look="warn">deprecated: {health.deprecated}</Tag>}
          {health.unmaintained_since !== null && <Tag look="warn">unmaintained since {health.unmaintained_since}</Tag>}
          {health.replacement !== null && <Tag>replace by {health.replacement}</Tag>}
        </p>
        <ul className={styles.advisories}>
          {advisories.map(({ id, cves, title, tier, kev }) => (
            <li key={id}>
              <TierDot tier={tier} compact />
              <VulnerabilityLink id={cves[0] ?? id} />
              <span>{title}</span>
              {kev !== null && <Tag look="danger">known exploited</Tag>}
            </li>
          ))}
        </ul>
        {total > advisories.length && (
          <p className={styles.more}>and {counted(total - advisories.length, 'more advisory', 'more advisories')}</p>
        )}
        <Coverage coverage={coverage} />
      </div>
    </Card>
  );
}

function answerText({ coverage, total }: Checked): string {
  switch (coverage.status) {
    case 'affected':
      return `Yes, affected by ${counted(total, 'advisory', 'advisories')}.`;
    case 'not_affected':
      return 'No, not affected by any advisory that is loaded.';
    case 'unknown':
      return 'Unknown: no loaded advisory names this version, but not everything was looked at.';
  }
}
