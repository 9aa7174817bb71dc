import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { yieldToEventLoop } from '../../../shared/async/yield-to-event-loop.js';
import type { ApiError } from '../../http/api-error.js';
import { unreadableReport } from '../parse-report.js';

/** Depth of nested elements; ZAP's reports have seven. */
const maxDepth = 32;

/** Characters kept of one text. ZAP's longest texts, requests with their responses, are not needed. */
const maxText = 64 * 1024;

/** Characters that the parser gets in one step. */
const chunkLength = 64 * 1024;

type Texts = Record<string, string>;
interface Alert {
  [field: string]: string | Texts[];
  instances: Texts[];
}
interface Site {
  '@name': string;
  alerts: Alert[];
}

/** Names of the elements whose text is read, by the element that they are in. */
type TextFields = Readonly<Record<'alertitem' | 'instance', readonly string[]>>;

/**
 * ZAP's XML report, in the shape of its JSON report. A document type is rejected, and so is every entity but the five of
 * XML itself. Characters that XML has not, which a site's answers may have, are replaced.
 */
export async function readZapXml(text: string, fields: TextFields): Promise<unknown> {
  const parser = new SaxesParser();
  const sites: Site[] = [];
  const open: string[] = [];
  let root: Readonly<Record<string, string>> = {};
  let alert: Alert | undefined;
  let instance: Texts | undefined;
  let words = '';

  const unreadable = (expected: string): ApiError =>
    unreadableReport('running_app', '', `${expected}: see line ${parser.line}, column ${parser.column}`);
  parser.on('error', () => {
    throw unreadable('must be well-formed XML');
  });
  parser.on('doctype', () => {
    throw unreadable('must have no document type and no entities of its own');
  });
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    if (open.length === 0 && name !== 'OWASPZAPReport') throw unreadable('must begin with OWASPZAPReport');
    if (open.length === maxDepth) throw unreadable(`must not nest deeper than ${maxDepth} elements`);
    open.push(name);
    words = '';
    if (open.length === 1) root = attributes;
    else if (name === 'site') sites.push({ '@name': attributes['name'] ?? '', alerts: [] });
    else if (name === 'alertitem') {
      alert = { instances: [] };
      sites.at(-1)?.alerts.push(alert);
    } else if (name === 'instance') {
      instance = {};
      alert?.instances.push(instance);
    }
  });
  const collect = (more: string): void => {
    if (words.length < maxText) words += more.slice(0, maxText - words.length);
  };
  parser.on('text', collect);
  parser.on('cdata', collect);
  parser.on('closetag', () => {
    const name = open.pop() ?? '';
    const parent = open.at(-1);
    if (parent === 'alertitem' && fields.alertitem.includes(name) && alert !== undefined) alert[name] = words.trim();
    if (parent === 'instance' && fields.instance.includes(name) && instance !== undefined)
      instance[name] = words.trim();
    words = '';
  });

  const { start, lines } = startOf(text);
  parser.line = lines + 1;
  const yieldNow = yieldToEventLoop();
  for (let at = start; at < text.length; ) {
    await yieldNow();
    const end = endOfChunk(text, at);
    parser.write(text.slice(at, end).replace(notInXml, '\ufffd'));
    at = end;
  }
  parser.close();
  return { '@version': root['version'], '@generated': root['generated'], created: root['created'], site: sites };
}

/** Controls, written as they are or as a reference, and the two non-characters (XML 1.0, production 2). */
const notInXml =
  /(?![\t\n\r])\p{Cc}|[\ufffe\uffff]|&#(?:0*(?:[0-8]|1[124-9]|2\d|3[01])|x0*(?:[0-8bcef]|1[0-9a-f]|d[89a-f][0-9a-f]{2}|fff[ef]));/giu;

/** Characters of a reference; a chunk must not end inside one. */
const maxReference = 16;

function endOfChunk(text: string, start: number): number {
  const end = start + chunkLength;
  const open = text.slice(end - maxReference, end).lastIndexOf('&');
  return open === -1 ? end : end - maxReference + open;
}

/** Characters in which the XML declaration is searched for. */
const maxPreface = 16 * 1024;

/** Where the XML declaration is, if only blanks and comments come before it: CI systems put licences and logs there. */
function startOf(text: string): { readonly start: number; readonly lines: number } {
  const at = text.slice(0, maxPreface).indexOf('<?xml ');
  const before = text.slice(0, Math.max(0, at));
  const isPreface = before.replace(/<!--.*?-->/gs, '').trim() === '';
  return at > 0 && isPreface ? { start: at, lines: before.split('\n').length - 1 } : { start: 0, lines: 0 };
}
