import type { Mention } from '../language.js';
import type { Entry } from '../language-reader.js';
import { packageTable } from '../package-table.js';
import type { SourceTree } from '../source-tree.js';
import { startLines } from '../start-files.js';
import { folderOf, joinPath } from '../tree-path.js';
import type { Modules } from './modules.js';
import type { PackageFinder } from './packages.js';

/** Programs whose package has another name. Source: the packages' documentation. */
const programs = `
waitress-serve waitress|django-admin django|fastapi fastapi-cli,fastapi|supervisord supervisor|supervisorctl supervisor|circusd circus|opentelemetry-instrument opentelemetry-distro,opentelemetry-instrumentation
ddtrace-run ddtrace|newrelic-admin newrelic|jupyter jupyter-core,notebook,jupyterlab|rqworker rq|rqscheduler rq-scheduler|huey_consumer huey|huey_consumer.py huey|mod_wsgi-express mod-wsgi|twist twisted|twistd twisted
airflow apache-airflow|superset apache-superset|ansible-playbook ansible,ansible-core|aws awscli|dotenv python-dotenv|pserve pyramid,plaster-pastedeploy|pybabel babel|watchmedo watchdog
wormhole magic-wormhole|huggingface-cli huggingface-hub|dbt dbt-core
`;

const word = /(?<![\w.-])([A-Za-z_][\w.-]*)(?::([A-Za-z_]\w*))?/g;
const moduleOption = /(?:^|\s|["'])(?:-m|-A|--app)["',\s=]+$/;
const scriptPath = /(?<![\w./-])((?:\.{0,2}\/)?[\w./-]+\.py)\b/g;

/** Characters before a word that may hold an option. */
const lookBehind = 24;

/** What start files name: packages (programs, drivers of URLs, classes in settings), and files of the project. */
export function namedByStartFiles(
  tree: SourceTree,
  modules: Modules,
  finder: PackageFinder,
): { readonly mentions: readonly Mention[]; readonly entries: readonly Entry[] } {
  const mentions = new Map<string, Mention>();
  const entries: Entry[] = [];
  const table = packageTable(programs, (name) => finder.named(name)[0]);
  for (const { path, number: line, text, role, isSettings } of startLines(tree)) {
    const note = (packages: readonly string[], index: number) => {
      for (const packageName of packages) {
        const key = `${packageName}\n${path}`;
        if (!mentions.has(key)) mentions.set(key, { packageName, file: path, line, column: index + 1, role });
      }
    };
    const start = (files: readonly string[]) => {
      const file = files.at(-1);
      if (role === 'prod' && !isSettings && file !== undefined) entries.push({ file, why: `started by ${path}` });
    };
    for (const { 0: whole, 1: name = '', 2: attribute, index } of text.matchAll(word)) {
      if (name.includes('.')) note(finder.packagesOf(name), index);
      else if (!isSettings) note([...(table.get(name) ?? []), ...finder.named(name)], index);
      const isModule = attribute !== undefined || moduleOption.test(text.slice(Math.max(0, index - lookBehind), index));
      if (!isModule || whole.endsWith('.py')) continue;
      note(finder.packagesOf(name), index);
      start(modules.absolute(path, name, ['__main__']));
    }
    for (const { 1: script = '' } of text.matchAll(scriptPath)) start(modules.files(scriptPlaces(path, script)));
  }
  return { mentions: [...mentions.values()], entries };
}

/** Where a script may lie: beside the file that starts it, or from the top; a container has it below a folder of its own. */
function scriptPlaces(path: string, script: string): string[] {
  const parts = script.split('/').filter((part) => part !== '' && part !== '.');
  const tails = parts.slice(0, 4).map((_, index) => parts.slice(index).join('/'));
  return [folderOf(path), ''].flatMap((folder) => tails.flatMap((tail) => joinPath(folder, tail) ?? []));
}
