import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { RouterInputs, RouterOutputs } from '../../../client/index.js';
import { api } from '../../api/client.js';
import { Tag, TierDot } from '../../components/badge/badge.js';
import { FilterSelect } from '../../components/chips/chips.js';
import { Coverage } from '../../components/coverage/coverage.js';
import { counted } from '../../components/number/number.js';
import { Card, Section } from '../../components/page/page.js';
import { Loaded, Skeleton } from '../../components/state/state.js';
import { VulnerabilityLink } from '../../components/vulnerability-link/vulnerability-link.js';
import type { Asked } from './asked.js';
import { ecosystemNames } from './ecosystems.js';
import { safeVersionText } from './safe-version-text.js';
import styles from './search.module.css';

type Checked = RouterOutputs['intelligence']['checkPackage'];
type Input = RouterInputs['intelligence']['checkPackage'];
type Tracked = RouterOutputs['intelligence']['search']['packages']['items'];

interface CheckedPackageProps {
  readonly asked: Extract<Asked, { kind: 'purl' | 'version' }>;
  /** Packages of that name that are tracked: their ecosystem is most likely the one that is meant. */
  readonly tracked: Tracked;
}

const route = getRouteApi('/frame/search');

/** Whether a version of a package is affected by anything that is known. */
export function CheckedPackage({ asked, tracked }: CheckedPackageProps) {
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
