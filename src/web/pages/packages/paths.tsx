import type { RouterOutputs } from '../../../client/index.js';
import { counted } from '../../components/number/number.js';
import { GraphNode, type Node } from './graph-node.js';
import { completenessText } from './neighbours.js';
import styles from './packages.module.css';

type Dependencies = RouterOutputs['techStack']['getDependencies'];

interface PathsProps {
  readonly paths: Dependencies['paths'];
  readonly self: Dependencies['item'];
  readonly projectId: string;
}

/** The shortest ways from direct dependencies to the package: each a list in a list, joined by lines. */
export function Paths({ paths: { items, total, known }, self, projectId }: PathsProps) {
  const about = completenessText[known];
  if (items.length === 0) {
    return (
      <p>
        {self.source === 'manual'
          ? 'It was added by hand, so no graph says what brings it in.'
          : 'No way to it is known.'}{' '}
        {about}
      </p>
    );
  }
  if (items.length === 1 && items[0]?.length === 1) return <p>The project names it itself. {about}</p>;
  return (
    <>
      <p>
        {counted(total, 'direct dependency', 'direct dependencies')} {total === 1 ? 'leads' : 'lead'} to it
        {total > items.length && `; the ${items.length} shortest ways`}. {about}
      </p>
      <div className={styles.paths}>
        {items.map((path) => (
          <Branch
            key={path.map(({ purl, name }) => purl ?? name).join(' ')}
            path={path}
            depth={0}
            projectId={projectId}
          />
        ))}
      </div>
    </>
  );
}

/** From here down, further steps are not moved to the right: the page is not endless. */
const maxIndented = 8;

interface BranchProps {
  readonly path: readonly Node[];
  readonly depth: number;
  readonly projectId: string;
}

function Branch({ path: [node, ...rest], depth, projectId }: BranchProps) {
  if (node === undefined) return null;
  return (
    <ul className={styles.path} data-deep={depth > maxIndented || undefined}>
      <li>
        <GraphNode node={node} projectId={projectId} isSelf={rest.length === 0} />
        <Branch path={rest} depth={depth + 1} projectId={projectId} />
      </li>
    </ul>
  );
}
