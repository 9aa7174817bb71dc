import { stripHtml } from './hidden-html.js';
import { stripMarkdown } from './hidden-markdown.js';

/**
 * Text without what HTML or Markdown would hide from a reader: comments, hidden elements, attributes that hold text,
 * images' alternative texts, link titles and definitions. Code is treated like prose, because a wrong guess of what is
 * code would let a comment through.
 */
export function stripHiddenMarkup(text: string): string {
  const html = text.includes('<') ? stripHtml(text) : text;
  return html.includes('[') ? stripMarkdown(html) : html;
}
