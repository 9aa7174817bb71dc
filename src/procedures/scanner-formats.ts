import { wordList } from '../shared/text/number-text.js';

/** What an upload of each domain's reports takes besides the report, and why it rejects a report that it cannot read. */
export const reportUploads = {
  code: { options: ['repo'], reason: 'not_sarif' },
  running_app: { options: ['mode', 'scanJob'], reason: 'not_zap' },
  containers: { options: ['image', 'complete'], reason: 'not_container_report' },
} as const;

/** A domain whose findings come from scanners. */
export type ScannedDomain = keyof typeof reportUploads;

interface Format {
  /** Its name for `reach upload`, and its folder in `src/service/scanners`. */
  readonly id: string;
  readonly title: string;
  readonly domain: ScannedDomain;
  readonly encodings: readonly ('JSON' | 'XML')[];
}

/** The formats of reports that can be uploaded. No other list names them: all others are made from this one. */
export const scannerFormats = [
  { id: 'sarif', title: 'SARIF 2.1.0', domain: 'code', encodings: ['JSON'] },
  { id: 'zap', title: 'ZAP', domain: 'running_app', encodings: ['JSON', 'XML'] },
  { id: 'trivy', title: 'Trivy (schema 2)', domain: 'containers', encodings: ['JSON'] },
  { id: 'grype', title: 'Grype', domain: 'containers', encodings: ['JSON'] },
] as const satisfies readonly Format[];

type ListedFormat = (typeof scannerFormats)[number];
export type ScannerFormat = ListedFormat['id'];

/** The domain that a format's findings belong to. */
export type DomainOf<Id extends ScannerFormat> = Extract<ListedFormat, { readonly id: Id }>['domain'];

/** Bytes of a report, decompressed. */
export const maxReportBytes = 64 * 1024 * 1024;

export function formatsOf(domain: ScannedDomain): Format[] {
  return scannerFormats.filter((format) => format.domain === domain);
}

/** The titles of a domain's formats, as a sentence lists them. */
export function formatTitles(domain: ScannedDomain): string {
  return wordList(
    formatsOf(domain).map(({ title }) => title),
    'or',
  );
}

/** What a domain's reports are written in, as a sentence lists it. */
export function formatEncodings(domain: ScannedDomain): string {
  return wordList([...new Set(formatsOf(domain).flatMap(({ encodings }) => encodings))], 'or');
}
