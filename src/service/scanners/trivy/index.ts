import { hasKey, type Scanner } from '../scanner.js';
import { readTrivy } from './report.js';

export const trivy: Scanner<'containers'> = {
  domain: 'containers',
  mark: 'SchemaVersion (Trivy)',
  // Trivy's SBOMs and other outputs have none.
  detect: (report) => hasKey(report, 'SchemaVersion'),
  read: readTrivy,
};
