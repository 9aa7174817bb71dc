import { useQuery } from '@tanstack/react-query';
import type { RouterOutputs } from '../../../client/index.js';
import { Fact, Facts } from '../../components/page/page.js';
import { Time } from '../../components/time/time.js';
import { AlertsLink } from './columns.js';
import { HealthText } from './health.js';
import { itemQuery } from './item-query.js';

interface PackageFactsProps {
  readonly projectId: string;
  readonly item: RouterOutputs['techStack']['getDependencies']['item'];
}

export function PackageFacts({ projectId, item: { item_id, name, purl, source, alerts } }: PackageFactsProps) {
  const { data } = useQuery(itemQuery(projectId, item_id ?? '', name));
  return (
    <Facts>
      <Fact name="Open alerts">
        {alerts === null ? (
          'no feed is compared with it'
        ) : (
          <AlertsLink alerts={alerts} name={name} projectId={projectId} />
        )}
      </Fact>
      <Fact name="Health">{data ? <HealthText health={data.health} /> : '…'}</Fact>
      <Fact name="Package URL">{purl === null ? 'none' : <code>{purl}</code>}</Fact>
      <Fact name="Source">{source === 'manual' ? 'added by hand' : source}</Fact>
      {data && (
        <Fact name="Tracked">
          since <Time at={data.added_at} />, changed <Time at={data.updated_at} />
        </Fact>
      )}
    </Facts>
  );
}
