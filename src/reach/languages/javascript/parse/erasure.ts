import type { Imported } from '../syntax-tree/tree-references.js';
import type { Reference } from './reference.js';

/** The imports that have no name which is plainly called: only the tree can tell whether TypeScript erases them. */
export function perhapsErased(text: string, imported: Imported): readonly Reference[] {
  const sure = new Set<Reference>();
  const all = new Set<Reference>();
  for (const [name, binding] of imported) {
    if (binding.is !== 'module' && binding.is !== 'export') continue;
    all.add(binding.reference);
    if (!sure.has(binding.reference) && isPlainlyCalled(text, name)) sure.add(binding.reference);
  }
  return [...all].filter((reference) => !sure.has(reference));
}

const identifier = /[\w$\u0080-\uffff]/;

/** `name(` or `name.member(`, where nothing before it makes it a member, a longer name or a part of a comment. */
function isPlainlyCalled(text: string, name: string): boolean {
  const call = /(?:\.[\w$]+)?\(/y;
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at)) {
    const before = at === 0 ? ' ' : (text[at - 1] ?? ' ');
    const start = at;
    at += name.length;
    call.lastIndex = at;
    if (before === '.' || identifier.test(before) || !call.test(text)) continue;
    const comment = commentEnd(text, start);
    if (comment === null) return true;
    at = comment;
  }
  return false;
}

/** Where the comment ends that what stands before a place on its line may begin, or go on with; null where there is none. */
function commentEnd(text: string, place: number): number | null {
  const before = text.slice(text.lastIndexOf('\n', place) + 1, place);
  const end = /^\s*\*|\/\*/.test(before) ? '*/' : before.includes('//') ? '\n' : null;
  if (end === null) return null;
  const found = text.indexOf(end, place);
  return found === -1 ? text.length : found;
}
