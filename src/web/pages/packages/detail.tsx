import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { api, type RouterOutputs } from '../../api/client.js';
import { Coverage } from '../../components/coverage/coverage.js';
import { Detail, DetailPart } from '../../components/detail/detail.js';
import { Fact, Facts, Loaded } from '../../components/page/page.js';
import { Time } from '../../components/tip/tip.js';
import { scopeWords } from '../../words.js';
import { Neighbours, Paths } from './graph.js';
import { itemQuery, PackageActions } from './package-actions.js';
import { AlertsLink, directWord, HealthText } from './package-words.js';

const route = getRouteApi('/frame/projects/$projectId/packages/$itemId');

/** One tracked package: its health and alerts, and its place in the dependency graph. */
export default function PackagePage() {
  const { projectId, itemId } = route.useParams();
  const query = useQuery(api.techStack.getDependencies.queryOptions({ project_id: projectId, item_id: itemId }));
  const item = query.data?.item;
  return (
    <Detail
      rowId={itemId}
      title={item === undefined ? 'Package' : `${item.name} ${item.version ?? ''}`}
      answer={
        item && (
          <>
            <span>{item.ecosystem}</span>
            <span>{scopeWords[item.scope]}</span>
            <span>{directWord(item.direct)}</span>
          </>
        )
      }
      actions={item && <PackageActions projectId={projectId} itemId={itemId} name={item.name} />}
      close={(look) => <Link to="/projects/$projectId/packages" params={{ projectId }} search={true} {...look} />}
    >
      <Loaded query={query}>
        {({ item, paths, parents, children, coverage }) => (
          <>
            <PackageFacts projectId={projectId} item={item} />
            <DetailPart title="How it comes into the project">
              <Paths paths={paths} self={item} projectId={projectId} />
            </DetailPart>
            <DetailPart title="Needed by">
              <Neighbours neighbours={parents} projectId={projectId} none="No tracked package needs it." />
            </DetailPart>
            <DetailPart title="Needs">
              <Neighbours neighbours={children} projectId={projectId} none="It needs no other package." />
            </DetailPart>
            <Coverage coverage={coverage} />
          </>
        )}
      </Loaded>
    </Detail>
  );
}

interface PackageFactsProps {
  readonly projectId: string;
  readonly item: RouterOutputs['techStack']['getDependencies']['item'];
}

function PackageFacts({ projectId, item: { item_id, name, purl, source, alerts } }: PackageFactsProps) {
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
