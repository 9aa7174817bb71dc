import { hasKey, type Scanner } from '../scanner.js';
import { readTrivy } from './report.js';

export const trivy: Scanner<'containers'> = {
  domain: 'containers',
  mark: 'SchemaVersion (Trivy)',
  // Trivy's SBOMs have none. Its reports of a cluster may lack it.
  detect: (report) => hasKey(report, 'SchemaVersion') || hasKey(report, 'ClusterName'),
  read: readTrivy,
};
