import { parseJsonc } from '../../../shared/json/jsonc.js';
import { stringsIn } from './loose.js';
import type { PlacedString } from './mentions/file-strings.js';

const start =
  /^[ \t]*(?:CMD|ENTRYPOINT)[ \t]+(.+)$|^[ \t]*(?:command|entrypoint|web|worker|release|api|server)[ \t]*:[ \t]*(.+)$/gim;

/** The commands that a Dockerfile, a Procfile or a compose file starts, each as a shell would have it. */
export function startLines(text: string): PlacedString[] {
  const joined = text.replace(/\\\r?\n/g, (end) => ' '.repeat(end.length));
  return Array.from(joined.matchAll(start), (match) => {
    const command = match[1] ?? match[2] ?? '';
    const list = parseJsonc(command);
    return {
      text: Array.isArray(list) ? stringsIn(list).join(' ') : command,
      offset: match.index + match[0].indexOf(command),
    };
  });
}
