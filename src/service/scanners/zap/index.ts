import { hasKey, type Scanner } from '../scanner.js';
import { readSiteScans } from './findings.js';

export const zap: Scanner<'running_app'> = {
  domain: 'running_app',
  mark: 'site (ZAP)',
  detect: (report) => (typeof report === 'string' ? report.includes('<OWASPZAPReport') : hasKey(report, 'site')),
  read: readSiteScans,
};
