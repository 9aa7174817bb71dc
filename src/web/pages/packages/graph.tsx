import { Link } from '@tanstack/react-router';
import type { RouterOutputs } from '../../api/client.js';
import { Tag } from '../../components/badge/badge.js';
import { counted } from '../../components/format/format.js';
import { AlertsLink } from './package-words.js';
import styles from './packages.module.css';

type Node = RouterOutputs['techStack']['getDependencies']['parents']['items'][number];

interface GraphNodeProps {
  readonly node: Node;
  readonly projectId: string;
  /** It is the package that the picture is about. */
  readonly isSelf?: boolean;
}

function GraphNode({ node, projectId, isSelf = false }: GraphNodeProps) {
  const { item_id, name, version, alerts } = node;
  const text = version === null ? name : `${name} ${version}`;
  const isAffected = alerts !== null && alerts.red + alerts.yellow + alerts.green > 0;
  return (
    <span className={styles.node} data-self={isSelf || undefined}>
      {item_id === null || isSelf ? (
        <span>{text}</span>
      ) : (
        <Link to="/projects/$projectId/packages/$itemId" params={{ projectId, itemId: item_id }} search={true}>
          {text}
        </Link>
      )}
      {alerts === null && <Tag>not compared with advisories</Tag>}
      {isAffected && <AlertsLink alerts={alerts} name={name} projectId={projectId} />}
    </span>
  );
}

type Dependencies = RouterOutputs['techStack']['getDependencies'];

/** Whether what a source says of the graph is all that there is. */
const completenessText: Readonly<Record<Dependencies['parents']['known'], string>> = {
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
