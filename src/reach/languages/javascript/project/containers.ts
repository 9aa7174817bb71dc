import { parseJsonc } from '../../../../shared/json/jsonc.js';
import { listsOf } from '../../../knowledge/knowledge.js';
import { alternatives, either } from '../../patterns.js';
import { stringsIn } from '../json-values.js';
import type { PlacedString } from '../mentions/file-strings.js';

/** Names of files that say which commands start a program in production. */
export const containerFile = new RegExp(listsOf('start-files')('containers').join('|'), 'i');

/** Keys of such files whose value is a command. */
const startKeys = alternatives(
  'command cmd args entrypoint startCommand start run exec web worker release api server bot app cron queue job scheduler clock',
);
const startLine = either(
  'gim',
  /^[ \t]*(?:CMD|ENTRYPOINT)[ \t]+(.+)$/,
  new RegExp(`^[ \\t-]*"?(?:${startKeys})"?[ \\t]*[:=][ \\t]*(.+)$`),
  /^ExecStart(?:Pre)?=[-@+!:]*(.+)$/,
);

/** A list of words below a key, one a line: `command:`, `  - node`, `  - x.js`. */
const startList = /^([ \t-]*)(?:command|args|entrypoint)[ \t]*:[ \t]*\r?\n((?:[ \t]*-[ \t]+[^\n]*(?:\n|$)){1,50})/gim;

/**
 * The start commands of a Dockerfile, a Procfile, a compose file, a unit of systemd and the like, each as a shell line.
 */
export function startCommands(text: string): PlacedString[] {
  const joined = text.replace(/\\\r?\n/g, (end) => ' '.repeat(end.length));
  const lines = Array.from(joined.matchAll(startLine), (match) => {
    const command = match[1] ?? match[2] ?? match[3] ?? '';
    const list = parseJsonc(command);
    return {
      text: Array.isArray(list) ? stringsIn(list).join(' ') : typeof list === 'string' ? list : command,
      offset: match.index + match[0].indexOf(command),
    };
  });
  const lists = Array.from(joined.matchAll(startList), ({ index, 0: whole, 2: items = '' }) => ({
    text: Array.from(items.matchAll(/-[ \t]+(.*)/g), ([, item = '']) =>
      item.trim().replace(/^(["'])(.*)\1$/, '$2'),
    ).join(' '),
    offset: index + whole.indexOf(items),
  }));
  return [...lines, ...lists];
}

/** The folders of an image where its commands run. */
export function workFolders(text: string): string[] {
  return Array.from(
    text.matchAll(/^[ \t]*WORKDIR[ \t]+["']?([^\s"']+)|^[ \t]*working_dir:[ \t]*["']?([^\s"']+)/gim),
  ).map((match) => match[1] ?? match[2] ?? '');
}

/** The commands by which a Dockerfile makes its image, each as a shell line. */
export function buildCommands(text: string): PlacedString[] {
  const joined = text.replace(/\\\r?\n/g, (end) => ' '.repeat(end.length));
  return Array.from(joined.matchAll(/^[ \t]*RUN[ \t]+(.+)$/gim), ({ 0: whole, 1: command = '', index }) => ({
    text: command,
    offset: index + whole.indexOf(command),
  }));
}
