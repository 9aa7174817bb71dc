import { clip } from '../../shared/text/cut.js';
import type { VexDocument, VexStatement } from './statement.js';

/** Characters of an override's reason. */
const maxLength = 2_000;

/** An override's reason in the document's words, with who says it and where. Somebody else's text: clipped, never obeyed. */
export function reasonOf(statement: VexStatement, { author, name, version, issuedAt, format }: VexDocument): string {
  const { status, justification, detail, product, component } = statement;
  const said = [status.replaceAll('_', ' '), justification].filter((part) => part !== null).join(', ');
  const subject = component === null ? product.label : `${component.label} in ${product.label}`;
  const source = [
    author ?? 'an unnamed author',
    `${formatNames[format]} document ${name ?? 'without an id'}${version === null ? '' : `, version ${version}`}`,
    ...(issuedAt === null ? [] : [issuedAt.toISOString().slice(0, 10)]),
  ];
  return clip(`VEX: ${said}, of ${subject}${detail === null ? '.' : `: ${detail}`} (${source.join('; ')})`, maxLength);
}

const formatNames = { cyclonedx: 'CycloneDX', openvex: 'OpenVEX', csaf: 'CSAF' } as const;
