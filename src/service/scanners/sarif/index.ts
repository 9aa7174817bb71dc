import { hasKey, type Scanner } from '../scanner.js';
import { readCodeScan } from './findings.js';

export const sarif: Scanner<'code'> = {
  domain: 'code',
  mark: 'runs (SARIF)',
  detect: (report) => hasKey(report, 'runs'),
  read: readCodeScan,
};
