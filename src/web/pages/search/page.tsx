import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { api } from '../../api/client.js';
import { counted } from '../../components/number/number.js';
import { Page, Section } from '../../components/page/page.js';
import { Empty, Loaded, Skeleton } from '../../components/state/state.js';
import { type ResultGroup, resultGroups } from '../../frame/search-groups.js';
import { askedBy, nameIn } from './asked.js';
import { CheckedPackage } from './checked-package.js';
import { Exposed } from './exposed.js';
import styles from './search.module.css';

const route = getRouteApi('/frame/search');

/** Everything with a name, and whether we are exposed to a vulnerability or a version of a package. */
export function SearchPage() {
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

/** Results of one kind, up to which they are counted. */
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
