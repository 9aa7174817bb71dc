import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { RouterOutputs } from '../../../client/index.js';
import { Detail, DetailPart } from '../../components/detail/detail.js';
import { Fact, Facts } from '../../components/page/page.js';
import { Empty, Loaded } from '../../components/state/state.js';
import { TierCounts } from '../../components/tier-counts/tier-counts.js';
import { Time } from '../../components/time/time.js';
import { BaseImageAdvice } from './base-image-advice.js';
import { FindingsByLayer } from './findings-by-layer.js';
import { imageQuery } from './image-query.js';
import { MonitoringSwitch } from './monitoring-switch.js';

const all = getRouteApi('/frame/images/image/$projectId/$imageId');
const ofProject = getRouteApi('/frame/projects/$projectId/images/image/$imageId');

export function ImagePage() {
  return <ImageDetail {...all.useParams()} close={(look) => <Link to="/images" search={true} {...look} />} />;
}

export function ProjectImagePage() {
  const { projectId, imageId } = ofProject.useParams();
  return (
    <ImageDetail
      projectId={projectId}
      imageId={imageId}
      close={(look) => <Link to="/projects/$projectId/images" params={{ projectId }} search={true} {...look} />}
    />
  );
}

interface ImageDetailProps extends Pick<Parameters<typeof Detail>[0], 'close'> {
  readonly projectId: string;
  readonly imageId: string;
}

function ImageDetail({ projectId, imageId, close }: ImageDetailProps) {
  const query = useQuery(imageQuery(projectId, imageId));
  const image = query.data ?? undefined;
  return (
    <Detail
      rowId={imageId}
      title={image?.ref ?? 'Image'}
      answer={image && <TierCounts counts={image.tiers} />}
      close={close}
    >
      <Loaded query={query}>
        {() =>
          image === undefined ? (
            <Empty title="This project has no such image.">
              <p>The link may be of another project.</p>
            </Empty>
          ) : (
            <ImageFacts image={image} projectId={projectId} />
          )
        }
      </Loaded>
    </Detail>
  );
}

interface ImageFactsProps {
  readonly image: RouterOutputs['containers']['listImages']['items'][number];
  readonly projectId: string;
}

function ImageFacts({ image, projectId }: ImageFactsProps) {
  return (
    <>
      <Facts>
        <Fact name="Scanned">
          <Time at={image.scanned_at} />
        </Fact>
        <Fact name="Digest">{image.digest === null ? 'the reports name none' : <code>{image.digest}</code>}</Fact>
        <Fact name="System">{image.os ?? 'not known'}</Fact>
        <Fact name="Monitoring">
          <MonitoringSwitch image={image} projectId={projectId} />
        </Fact>
      </Facts>
      <DetailPart title="Base image">
        <BaseImageAdvice projectId={projectId} imageId={image.id} />
      </DetailPart>
      <DetailPart title="Open findings by layer">
        <FindingsByLayer projectId={projectId} imageId={image.id} imageRef={image.ref} />
      </DetailPart>
    </>
  );
}
