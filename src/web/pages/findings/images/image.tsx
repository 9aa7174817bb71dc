import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { RouterOutputs } from '../../../../client/index.js';
import { useProjectId } from '../../../api/project-id.js';
import { Detail, DetailPart } from '../../../components/detail/detail.js';
import { Fact, Facts } from '../../../components/page/page.js';
import { listOf } from '../../../components/posture/links.js';
import { Empty, Loaded } from '../../../components/state/state.js';
import { TierCounts } from '../../../components/tier-counts/tier-counts.js';
import { Time } from '../../../components/time/time.js';
import { BaseImageAdvice } from './base-image-advice.js';
import { FindingsByLayer } from './findings-by-layer.js';
import { imageQuery } from './image-query.js';
import { MonitoringSwitch } from './monitoring-switch.js';

export function ImagePage() {
  const { projectId = '', imageId = '' } = useParams({ strict: false });
  const list = listOf('containers', { projectId: useProjectId() });
  const query = useQuery(imageQuery(projectId, imageId));
  const image = query.data ?? undefined;
  return (
    <Detail
      rowId={imageId}
      title={image?.ref ?? 'Image'}
      answer={image && <TierCounts counts={image.tiers} />}
      close={(look) => <Link {...list} search={true} {...look} />}
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
