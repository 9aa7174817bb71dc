import { Mask } from '../mask.js';

const erb = /<%(?!%)[-=#]?([\s\S]*?)(?:-?%>|$)/g;
/** Lines of HAML and Slim that hold Ruby: `- code`, `= code`, `%p= code`, `div.a = code`. */
const code = /^\s*(?:[%.#\w][^\s=(]*)?(?:\([^)]*\)|\{[^}]*\})?\s*(?:[-~]|[&!]?={1,2})(?=[\s<>'\w])/;

/** Whether a file is a template with Ruby in it; others with names like `.jbuilder` are Ruby through and through. */
export function isTemplate(path: string): boolean {
  return /\.(?:erb|haml|slim)$/.test(path);
}

/** The Ruby of a template: all else is blank, so that every offset stays. */
export function rubyInTemplate(path: string, text: string): string {
  const mask = new Mask(text);
  let kept = 0;
  const keep = (from: number, to: number) => {
    mask.blankLines(kept, from);
    kept = to;
  };
  if (path.endsWith('.erb')) {
    for (const match of text.matchAll(erb)) {
      const from = match.index + match[0].indexOf(match[1] ?? '', 2);
      if (text[match.index + 2] !== '#') keep(from, from + (match[1]?.length ?? 0));
    }
  } else {
    for (let start = 0; start < text.length; ) {
      const next = text.indexOf('\n', start);
      const end = next === -1 ? text.length : next;
      const marker = end - start > maxLineLength ? null : code.exec(text.slice(start, end));
      if (marker !== null) keep(start + marker[0].length, end);
      start = end + 1;
    }
  }
  mask.blankLines(kept, text.length);
  return mask.finish();
}

/** Characters; longer lines are generated. */
const maxLineLength = 2000;
