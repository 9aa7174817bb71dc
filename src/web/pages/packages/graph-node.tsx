import { Link } from '@tanstack/react-router';
import type { RouterOutputs } from '../../../client/index.js';
import { Tag } from '../../components/badge/badge.js';
import { AlertsLink } from './columns.js';
import styles from './packages.module.css';

export type Node = RouterOutputs['techStack']['getDependencies']['parents']['items'][number];

interface GraphNodeProps {
  readonly node: Node;
  readonly projectId: string;
  /** It is the package that the picture is about. */
  readonly isSelf?: boolean;
}

/** A package of the graph: a link to its own place, and its open alerts. */
export function GraphNode({ node, projectId, isSelf = false }: GraphNodeProps) {
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
