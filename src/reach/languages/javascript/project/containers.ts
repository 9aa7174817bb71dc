import { parseJsonc } from '../../../../shared/json/jsonc.js';
import { stringsIn } from '../json-values.js';
import type { PlacedString } from '../mentions/file-strings.js';

/** Names of files that say which commands start a program in production. */
export const containerFile =
  /^(?:Dockerfile|Containerfile)(?:\..+)?$|\.dockerfile$|^Procfile$|^(?:docker-)?compose(?:\..+)?\.ya?ml$/i;

const startLine =
  /^[ \t]*(?:CMD|ENTRYPOINT)[ \t]+(.+)$|^[ \t]*(?:command|entrypoint|web|worker|release|api|server)[ \t]*:[ \t]*(.+)$/gim;

/** The start commands of a Dockerfile, a Procfile or a compose file, each as a shell line. */
export function startCommands(text: string): PlacedString[] {
  const joined = text.replace(/\\\r?\n/g, (end) => ' '.repeat(end.length));
  return Array.from(joined.matchAll(startLine), (match) => {
    const command = match[1] ?? match[2] ?? '';
    const list = parseJsonc(command);
    return {
      text: Array.isArray(list) ? stringsIn(list).join(' ') : command,
      offset: match.index + match[0].indexOf(command),
    };
  });
}

/** The commands by which a Dockerfile makes its image, each as a shell line. */
export function buildCommands(text: string): PlacedString[] {
  const joined = text.replace(/\\\r?\n/g, (end) => ' '.repeat(end.length));
  return Array.from(joined.matchAll(/^[ \t]*RUN[ \t]+(.+)$/gim), ({ 0: whole, 1: command = '', index }) => ({
    text: command,
    offset: index + whole.indexOf(command),
  }));
}
