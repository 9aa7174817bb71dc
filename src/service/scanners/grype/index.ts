import { hasKey, type Scanner } from '../scanner.js';
import { readGrype } from './report.js';

export const grype: Scanner<'containers'> = {
  domain: 'containers',
  mark: 'matches (Grype)',
  detect: (report) => hasKey(report, 'matches'),
  read: readGrype,
};
