import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { api, type RouterOutputs } from '../../../api/client.js';
import { TierCounts, TierDot } from '../../../components/badge/badge.js';
import { Coverage } from '../../../components/coverage/coverage.js';
import { Detail, DetailPart } from '../../../components/detail/detail.js';
import { counted } from '../../../components/format/format.js';
import { Empty, Fact, Facts, Loaded } from '../../../components/page/page.js';
import { listOf, useProjectId } from '../../../components/posture/scope.js';
import { Time } from '../../../components/tip/tip.js';
import { layerMeanings, layerWords } from '../../../words.js';
import { BaseImageAdvice } from './base-image-advice.js';
import styles from './images.module.css';
import { imageQuery, MonitoringSwitch } from './monitoring-switch.js';

export default function ImagePage() {
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

type Finding = RouterOutputs['containers']['listFindings']['items'][number];

const layers = ['base_image', 'own', 'unknown'] as const;

interface FindingsByLayerProps {
  readonly projectId: string;
  readonly imageId: string;
  readonly imageRef: string;
}

/** The worst open findings, in groups by what would fix them: another base, or the image's own layers. */
function FindingsByLayer({ projectId, imageId, imageRef }: FindingsByLayerProps) {
  const query = useQuery(
    api.containers.listFindings.queryOptions({ project_id: projectId, image: imageId, page_size: 100 }),
  );
  return (
    <Loaded query={query}>
      {({ items, total, coverage }) => (
        <div className={styles.layers}>
          {total === 0 && <p>No finding is open.</p>}
          <Coverage coverage={coverage} />
          {total > items.length && (
            <p>
              Of the worst {items.length} of {counted(total, 'finding')}:
            </p>
          )}
          {layers.map((layer) => (
            <Layer key={layer} layer={layer} findings={items.filter((finding) => finding.layer === layer)} />
          ))}
          {total > 0 && (
            <p>
              <Link
                to="/projects/$projectId/images"
                params={{ projectId }}
                search={{ view: 'findings', source: imageRef }}
              >
                All findings of this image
              </Link>
            </p>
          )}
        </div>
      )}
    </Loaded>
  );
}

function Layer({ layer, findings }: { readonly layer: (typeof layers)[number]; readonly findings: Finding[] }) {
  if (findings.length === 0) return null;
  return (
    <details open={findings.length <= 10}>
      <summary>
        {layerWords[layer]}: {counted(findings.length, 'finding')}
      </summary>
      <p className={styles.quiet}>{layerMeanings[layer]}</p>
      <ul className={styles.alternatives}>
        {findings.map(({ id, tier, vulnerability_id, package: { name, version }, fixed_version }) => (
          <li key={id}>
            <span className={styles.row}>
              <strong>{vulnerability_id}</strong>
              <TierDot tier={tier} />
            </span>
            <span>
              {name} {version}
              <span className={styles.quiet}>
                {fixed_version === null ? ', no fixed version known' : ` → ${fixed_version}`}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
