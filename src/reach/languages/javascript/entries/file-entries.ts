import { parseJsonc } from '../../../../shared/json/jsonc.js';
import { listsOf } from '../../../knowledge/knowledge.js';
import { fileNameOf, folderOf, joinPath } from '../../tree-path.js';
import { entriesOf, textOf } from '../json-values.js';
import { scriptSources } from '../parse/script-blocks.js';
import { containerFile, startCommands, workFolders } from '../project/containers.js';
import { roleOf } from '../roles.js';
import { type EntryCollector, insideImage } from './entry-collector.js';

const listed = listsOf('javascript/platforms');

/** Limit of pages that are read for scripts. */
const maxPages = 2000;

/** A larger file is data. */
const maxBytes = 512 * 1024;

const page = /\.(?:html?|ejs|hbs|handlebars|pug|jade|njk|liquid|twig|erb|cshtml|php|eta|mustache)$/i;

/** Files whose strings name the code that a framework, a platform or a browser starts. */
const namingFile = new RegExp(
  [
    `^(?:${listed('json').join('|')})\\.jsonc?$`,
    `^(?:${listed('yaml').join('|')})(?:[._-].*)?\\.(?:ya?ml|toml|jsonc)$`,
    ...listed('others'),
  ].join('|'),
  'i',
);

/** Init systems run such a file: https://github.com/just-containers/s6-overlay. */
const runFile =
  /(?:^|\/)(?:s6-rc\.d|s6-overlay|services\.d|service|sv|cont-init\.d|docker-entrypoint\.d)\/(?:[^/]+\/)?[^/.]+(?:\.sh)?$/;

/** Adds the files that pages, containers and the configurations of builds and platforms name. */
export function addFromFiles(entries: EntryCollector): void {
  const { tree } = entries;
  let pages = 0;
  for (const { path, bytes } of tree.files) {
    const name = fileNameOf(path);
    const isRunFile = runFile.test(path);
    const isPage = page.test(name) && pages < maxPages;
    const readers = [
      ...(isPage ? [addFromPage] : []),
      ...(containerFile.test(name) ? [addFromContainer] : []),
      ...(namingFile.test(name) ? [addNamed] : []),
    ];
    if (bytes > maxBytes || !(isRunFile || readers.length > 0)) continue;
    // An action that tests use is still an action.
    if (roleOf(path) === 'test' && !isRunFile) continue;
    if (isRunFile) entries.addRunByShell(path, entries.foldersAround(path), `run by the init system from ${path}`);
    if (isPage) pages++;
    const text = readers.length === 0 ? '' : (tree.read(path) ?? '');
    for (const add of readers) add(text, path, entries);
  }
}

/** Folders of pages from which servers and builds deliver files. */
const publicFolders = [
  '',
  'public/',
  'static/',
  'src/',
  'app/',
  'www/',
  'assets/',
  'src/main/resources/static/',
  'web/',
];

function addFromPage(text: string, path: string, entries: EntryCollector): void {
  const folders = entries.foldersAround(path);
  for (const source of scriptSources(text)) {
    // `{% static 'js/app.js' %}` and `<%= base %>/app.js` name a path inside.
    const target = (/['"]([^'"]+\.[mc]?[jt]sx?)['"]/.exec(source)?.[1] ?? source)
      .replace(/[?#].*$/, '')
      .replace(/^(?:\{\{.*?\}\}|<%.*?%>|%\w+%|\$\{.*?\}|<\?.*?\?>)/, '');
    if (/^(?:[a-z]+:)?\/\//i.test(target)) continue;
    const places = folders.flatMap((folder) => publicFolders.map((prefix) => joinPath(folder, `${prefix}${target}`)));
    entries.add(
      places.flatMap((place) => entries.files.named(place)),
      `script of ${path}`,
    );
  }
}

function addFromContainer(text: string, path: string, entries: EntryCollector): void {
  const around = entries.foldersAround(path);
  const inImage = workFolders(text)
    .flatMap(insideImage)
    .flatMap((folder) => around.flatMap((base) => joinPath(base, folder) ?? []))
    .filter((folder) => entries.files.hasFolder(folder));
  const contexts = Array.from(
    text.matchAll(/^[ \t]*(?:build|context):[ \t]*["']?(\.[\w./-]*)/gm),
    ([, context = '']) => context,
  )
    .flatMap((context) => joinPath(folderOf(path), context) ?? [])
    .filter((folder) => entries.files.hasFolder(folder));
  const folders = [...new Set([...around, ...inImage, ...contexts])];
  for (const { text: command } of startCommands(text))
    entries.addRunBy(command, folders, `started by ${fileNameOf(path)}`);
}

/** Targets of a build configuration that do not run in production. */
const sideTargets = new Set(listed('sideTargets'));

/** Limit of values in one configuration. */
const maxValues = 10_000;

/** Adds the code that the strings of a configuration name, each relative to its own folder, its source root or the tree. */
function addNamed(text: string, path: string, entries: EntryCollector): void {
  const content = /\.(?:ya?ml|toml)$/.test(path) ? undefined : parseJsonc(text);
  const strings = content === undefined ? wordsOf(text) : stringsOf(content);
  const folders = entries.foldersAround(path);
  const roots = strings.flatMap(({ key, value }) => (rootKey.test(key) ? [value] : []));
  const bases = new Set([
    ...folders,
    ...folders.flatMap((folder) => ['src', ...roots.slice(0, 50)].flatMap((root) => joinPath(folder, root) ?? [])),
  ]);
  const seen = new Set<string>();
  for (const { key, value } of strings) {
    if (seen.has(`${key}\0${value}`) || seen.size >= maxValues) continue;
    seen.add(`${key}\0${value}`);
    const isStart = startKey.test(key);
    if (/\s/.test(value)) {
      if (/^(?:command|app|run|start|script|exec|dev)$/.test(key))
        entries.addRunBy(value, folders, `${key} of ${path}`);
      continue;
    }
    if (value.length > 512 || !(isStart || value.includes('/') || /\.[mc]?[jt]sx?$/.test(value))) continue;
    for (const base of bases) entries.add(filesNamed(value, base, entries), `named in ${path}`);
  }
}

const startKey = new RegExp(`^(?:${listed('startKeys').join('|')})$`, 'i');
/** Keys of folders that the other paths of a configuration start from. */
const rootKey = new RegExp(`^(?:${listed('rootKeys').join('|')})$`, 'i');

function filesNamed(value: string, base: string, { files }: EntryCollector): readonly string[] {
  const found = value.includes('*')
    ? files.matching(base, value)
    : // `src/app.handler` names the export `handler` of src/app.
      [
        ...files.sources(base, value),
        ...(/\.[mc]?[jt]sx?$/.test(value) ? [] : files.sources(base, value.replace(/\.\w+$/, ''))),
      ];
  return found.filter((file) => !/^(?:test|config)$/.test(roleOf(file)));
}

interface KeyedString {
  /** The field that holds the string, directly or in a list. */
  readonly key: string;
  readonly value: string;
}

function stringsOf(content: unknown): KeyedString[] {
  const found: KeyedString[] = [];
  const pending: { readonly key: string; readonly value: unknown }[] = [{ key: '', value: content }];
  for (let visited = 0; visited < maxValues; visited++) {
    const next = pending.pop();
    if (next === undefined) break;
    const text = textOf(next.value);
    if (text !== null) found.push({ key: next.key, value: text });
    else if (Array.isArray(next.value)) for (const one of next.value) pending.push({ key: next.key, value: one });
    else
      for (const [key, value] of entriesOf(next.value)) {
        if (sideTargets.has(key)) continue;
        // `functions: { "api/x.ts": {} }`
        if (key.includes('/') && textOf(value) === null) found.push({ key: '', value: key });
        pending.push({ key, value });
      }
  }
  return found;
}

/** The values of a YAML or TOML text, line by line: tags and references of platforms make it none for a strict parser. */
function wordsOf(text: string): KeyedString[] {
  const found: KeyedString[] = [];
  for (const line of text.split('\n', maxValues)) {
    const match = /^[ \t-]*"?([\w-]*)"?[ \t]*[:=]?[ \t]*(.*)$/.exec(line.replace(/(?:^|\s)#.*$/, ''));
    const [, key = '', rest = ''] = match ?? [];
    const value = rest.replace(/^!\w+\s+/, '').trim();
    const quoted = Array.from(value.matchAll(/["']([^"']+)["']/g), ([, inner = '']) => ({ key, value: inner }));
    if (quoted.length > 0) for (const one of quoted) found.push(one);
    else found.push({ key, value: value === '' ? key : value });
    // `- src/x.js`, and a path that is itself a key.
    const item = /^\s*-\s+([^\s:]+)$/.exec(line)?.[1];
    if (item !== undefined) found.push({ key: '', value: item });
  }
  return found;
}
