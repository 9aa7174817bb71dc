import * as z from 'zod';
import { jsonOrNull } from '../manifest-text.js';

const notebook = z.object({
  cells: z.array(
    z.object({
      cell_type: z.string(),
      source: z.union([z.string(), z.array(z.string())]).catch([]),
    }),
  ),
});

/** Commands of IPython: `%matplotlib inline`, `!pip install x`, `?help`. */
const command = /^\s*[%!?].*$/gm;

/**
 * The code of a Jupyter notebook (https://nbformat.readthedocs.io/en/latest/format_description.html), each line where the file
 * has it as far as it can be found. Null for a file that is no notebook.
 */
export function notebookCode(text: string): string | null {
  const parsed = notebook.safeParse(jsonOrNull(text));
  if (!parsed.success) return null;
  const lines: string[] = [];
  let offset = 0;
  let line = 0;
  for (const { cell_type: kind, source } of parsed.data.cells) {
    if (kind !== 'code') continue;
    const code = (typeof source === 'string' ? source : source.join('')).replaceAll(command, '');
    for (const each of code.split('\n')) {
      const found = each.trim() === '' ? -1 : text.indexOf(JSON.stringify(each).slice(1, -1), offset);
      // A line that is written with other escapes is not found: it follows the one before.
      if (found !== -1) {
        for (let at = text.indexOf('\n', offset); at !== -1 && at < found; at = text.indexOf('\n', at + 1)) line += 1;
        offset = found;
      }
      while (lines.length < line) lines.push('');
      lines.push(each);
    }
  }
  return lines.join('\n');
}
