import { SaxesParser } from 'saxes';
import { LockfileError, rejectConflict, type Source } from '../source.js';

/** An element: its name without prefix, its text without that of its children, and its children. */
export interface Element {
  readonly name: string;
  text: string;
  readonly children: Element[];
}

/** Levels; a POM has ten, and the configuration of its plugins some more. */
const maxDepth = 64;
const maxElements = 500_000;

/**
 * The root element of an XML document. A document type is rejected, and so is every entity but the five of XML: no build
 * file needs one, and entities can unfold to a huge text or name files.
 */
export function parseXml(source: Source): Element {
  rejectConflict(source);
  const parser = new SaxesParser();
  const fail = (problem: string) =>
    new LockfileError(source.file, `line ${parser.line}, column ${parser.column + 1}: ${problem}`);
  const open: Element[] = [];
  let root: Element | undefined;
  let elements = 0;
  const addText = (text: string) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  };
  parser.on('error', (error) => {
    // The message begins with the place, and quotes at most a name.
    throw fail(`is not XML: ${error.message.replace(/^[\d:]+\s*/, '').slice(0, 200)}`);
  });
  parser.on('doctype', () => {
    throw fail('has a document type, which a build file does not need');
  });
  parser.on('opentag', ({ name }) => {
    const element: Element = { name: name.slice(name.indexOf(':') + 1), text: '', children: [] };
    elements += 1;
    if (open.length >= maxDepth) throw fail(`nested deeper than the ${maxDepth} levels expected`);
    if (elements > maxElements) throw fail(`has more than ${maxElements} elements`);
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  parser.on('closetag', () => open.pop());
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.write(source.text).close();
  if (root === undefined) throw fail('is not XML: expected an element');
  return root;
}

/** The elements that a path of names leads to. */
export function elementsAt(element: Element, ...path: readonly string[]): Element[] {
  const [first, ...rest] = path;
  if (first === undefined) return [element];
  return element.children.filter(({ name }) => name === first).flatMap((child) => elementsAt(child, ...rest));
}

/** The text of the first element that a path leads to, trimmed; undefined without one. */
export function textAt(element: Element, ...path: readonly string[]): string | undefined {
  return elementsAt(element, ...path)[0]?.text.trim();
}
