import { onOneLine } from '../../shared/text/clip.js';

/** Characters of a tool's name. */
const longest = 200;

/** A tool's name, fit for the list of a job's tools, whose separator is a comma. */
export function toolName(name: string): string {
  return onOneLine(name.replaceAll(',', ' '), longest) || 'unnamed tool';
}
