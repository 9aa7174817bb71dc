import { rowsOf, setsOf } from '../../knowledge/knowledge.js';
import type { Mention } from '../language.js';
import type { Entry } from '../language-reader.js';
import { packageTable } from '../package-table.js';
import type { SourceTree } from '../source-tree.js';
import { startLines } from '../start-files.js';
import { folderOf, joinPath } from '../tree-path.js';
import type { Modules } from './modules.js';
import type { PackageFinder } from './packages.js';

/** Programs that run, or run in, the application: where they start, they are loaded. */
const servers = setsOf('python/servers')('servers');
/** The beginning of a line in which the next word is the program: of a container, a process list, a service, a script. */
const runners =
  'exec|python[\\d.]*|-m|(?:uv|poetry|pdm|pipenv)[\\s"\',]+run|ddtrace-run|opentelemetry-instrument|' +
  'newrelic-admin[\\s"\',]+run-program|s6-setuidgid[\\s"\',]+\\w+';
const startOfCommand = new RegExp(
  '^\\s*(?<key>(?:CMD|ENTRYPOINT)\\b|ExecStart\\s*=|(?:command|entrypoint)\\s*[:=]|\\w[\\w-]*\\s*:)?' +
    `(?:[\\s"',[]|(?:${runners})(?=[\\s"',]))*(?:[\\w./-]*/)?$`,
);
const otherThanScript = /(?:docker|container)file[^/]*$|(?:^|\/)\.env[^/]*$|\.(?:ya?ml|json|toml|ini|conf|service)$/i;
/** Files that start an application on a developer's machine. */
const notDeployed = /(?:^|[/_.-])(?:dev|devel|development|devcontainer|local|debug|tests?|ci)(?:[/_.-]|$)/i;

const word = /(?<![\w.-])([A-Za-z_][\w.-]*)(?::([A-Za-z_]\w*))?/g;
const moduleOption = /(?:^|\s|["'])(?:-m|-A|--app)["',\s=]+$/;
const scriptPath = /(?<![\w./-])((?:\.{0,2}\/)?[\w./-]+\.py)\b/g;

/** Characters before a word that may hold an option. */
const lookBehind = 24;

/** Characters before a program. */
const maxBefore = 200;

/** What start files name: packages (programs, drivers of URLs, classes in settings), and files of the project. */
export function namedByStartFiles(
  tree: SourceTree,
  modules: Modules,
  finder: PackageFinder,
): { readonly mentions: readonly Mention[]; readonly entries: readonly Entry[] } {
  const mentions = new Map<string, Mention>();
  const entries: Entry[] = [];
  const table = packageTable(rowsOf('python/programs'), (name) => finder.named(name)[0]);
  for (const { path, number: line, text, role, isSettings } of startLines(tree)) {
    const note = (packages: readonly string[], index: number, isCertain = false) => {
      for (const packageName of packages) {
        const key = `${packageName}\n${path}`;
        const known = mentions.get(key);
        const place = { packageName, file: path, line, column: index + 1, role };
        if (known === undefined || (isCertain && !known.isCertain))
          mentions.set(key, isCertain ? { ...place, isCertain } : place);
      }
    };
    const isDeployed = role === 'prod' && !isSettings && !notDeployed.test(path);
    const start = (files: readonly string[]) => {
      const file = files.at(-1);
      if (role === 'prod' && !isSettings && file !== undefined) entries.push({ file, why: `started by ${path}` });
    };
    for (const { 0: whole, 1: name = '', 2: attribute, index } of text.matchAll(word)) {
      if (name.includes('.')) note(finder.packagesOf(name), index);
      else if (!isSettings) {
        const packages = [...(table.get(name) ?? []), ...finder.named(name)];
        note(packages, index, isDeployed && servers.has(name) && startsProgram(path, text.slice(0, index)));
      }
      const isModule = attribute !== undefined || moduleOption.test(text.slice(Math.max(0, index - lookBehind), index));
      if (!isModule || whole.endsWith('.py')) continue;
      note(finder.packagesOf(name), index);
      start(modules.absolute(path, name, ['__main__']));
    }
    for (const { 1: script = '' } of text.matchAll(scriptPath)) start(modules.files(scriptPlaces(path, script)));
  }
  return { mentions: [...mentions.values()], entries };
}

/** A line of a script may begin with the program; a line of another file says that a program follows. */
function startsProgram(path: string, before: string): boolean {
  const found = before.length > maxBefore ? null : startOfCommand.exec(before);
  if (found === null) return false;
  const key = found.groups?.['key'];
  if (key === undefined) return !otherThanScript.test(path);
  return /^(?:[A-Z]|command|entrypoint)/.test(key) || /(?:^|\/)Procfile[^/]*$/.test(path);
}

/** Where a script may lie: beside the file that starts it, or from the top; a container has it below a folder of its own. */
function scriptPlaces(path: string, script: string): string[] {
  const parts = script.split('/').filter((part) => part !== '' && part !== '.');
  const tails = parts.slice(0, 4).map((_, index) => parts.slice(index).join('/'));
  return [folderOf(path), ''].flatMap((folder) => tails.flatMap((tail) => joinPath(folder, tail) ?? []));
}
