import type { RouterOutputs } from '../../../client/index.js';
import { GraphNode } from './graph-node.js';
import styles from './packages.module.css';

type Dependencies = RouterOutputs['techStack']['getDependencies'];

/** Whether what a source says of the graph is all that there is. */
export const completenessText: Readonly<Record<Dependencies['parents']['known'], string>> = {
  complete: 'This is all that its source says.',
  incomplete: 'Its source says that some are missing.',
  unknown: 'Its source does not say whether this is all.',
};

interface NeighboursProps {
  readonly neighbours: Dependencies['parents'];
  readonly projectId: string;
  readonly none: string;
}

/** Packages beside another in the graph: those with open alerts first. */
export function Neighbours({ neighbours: { items, total, known }, projectId, none }: NeighboursProps) {
  return (
    <>
      {items.length > 0 && (
        <ul className={styles.nodes}>
          {items.map((node) => (
            <li key={node.item_id ?? node.purl ?? node.name}>
              <GraphNode node={node} projectId={projectId} />
            </li>
          ))}
        </ul>
      )}
      <p className={styles.quiet}>
        {items.length === 0 && (known === 'complete' ? none : 'None is known.')}{' '}
        {total > items.length && `The first ${items.length} of ${total}. `}
        {completenessText[known]}
      </p>
    </>
  );
}
