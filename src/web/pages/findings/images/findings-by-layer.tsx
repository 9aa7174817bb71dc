import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { RouterOutputs } from '../../../../client/index.js';
import { api } from '../../../api/client.js';
import { TierDot } from '../../../components/badge/badge.js';
import { Coverage } from '../../../components/coverage/coverage.js';
import { counted } from '../../../components/number/number.js';
import { Loaded } from '../../../components/state/state.js';
import { layerMeanings, layerWords } from '../../../words.js';
import styles from './images.module.css';

type Finding = RouterOutputs['containers']['listFindings']['items'][number];

const layers = ['base_image', 'own', 'unknown'] as const;

interface FindingsByLayerProps {
  readonly projectId: string;
  readonly imageId: string;
  readonly imageRef: string;
}

/** The worst open findings, in groups by what would fix them: another base, or the image's own layers. */
export function FindingsByLayer({ projectId, imageId, imageRef }: FindingsByLayerProps) {
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
