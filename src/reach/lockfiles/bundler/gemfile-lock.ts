import type { UnreadReason } from '../../../procedures/unread.js';
import { remember } from '../../remember.js';
import { readGemfile } from '../gemfile.js';
import { PackageList, type Reading } from '../package-list.js';
import { askersFrom, type Edge, toEdges } from '../ranges.js';
import { fieldsFrom } from '../scopes.js';
import { LockfileError, rejectConflict, type Source } from '../source.js';

/** `    nokogiri (1.16.0-x86_64-linux)`, and below it `      racc (~> 1.4)`. */
const spec = /^ {4}(\S+) \(([^)]+)\)$/;
const need = /^ {6}(\S+?)!?(?: \(([^)]*)\))?$/;
const dependency = /^ {2}(\S+?)!?(?: \(([^)]*)\))?$/;

/** What RubyGems takes for a requirement that names no version. */
const anyVersion = '>= 0';

interface Gem {
  readonly name: string;
  readonly version: string;
  readonly section: string;
  readonly needs: Edge[];
  /** The `remote` of its section. */
  readonly remote: string;
  readonly line: number;
}

/** Sections whose gems come from elsewhere than the registry. A gem of the same name may be what an advisory is about. */
const elsewhere: Readonly<Record<string, UnreadReason>> = { GIT: 'git', PATH: 'path', 'PLUGIN SOURCE': 'url' };

/**
 * Gemfile.lock (https://bundler.io/man/bundle-lock.1.html). It lists a gem once for every platform; that is one package
 * here. The groups of a gem come from the Gemfile in the same folder.
 */
export async function readGemfileLock(source: Source): Promise<Reading> {
  const { gems, asked } = parse(source);
  const named = await readGemfile(source);
  const development = new Set(named?.filter(({ scope }) => scope === 'development').map(({ name }) => name));
  // A gem may be named twice, for two groups or platforms.
  for (const { name, scope } of named ?? []) if (scope !== 'development') development.delete(name);
  const roots = {
    runtime: asked.flatMap(([name]) => (development.has(name) ? [] : name)),
    optional: [],
    development: asked.flatMap(([name]) => (development.has(name) ? name : [])),
  };
  const edges = new Map([...gems].map(([name, { needs }]) => [name, toEdges(needs)]));
  const fieldsOf = fieldsFrom(roots, edges);
  const askersOf = askersFrom(asked.map(([name, range]) => [name, 'Gemfile', range]));

  const list = new PackageList(source.file, 'RubyGems');
  for (const { name, version, section, remote, line } of gems.values()) {
    const reason = elsewhere[section];
    if (reason === undefined) list.add({ ...fieldsOf(name), ...askersOf(name), name, version });
    else if (reason === 'path' && remote === '.') list.own({ name, at: `line ${line}` }, edges.get(name)?.required);
    else list.unread({ name, reason, stated: version, at: `line ${line}` }, edges.get(name)?.required);
  }
  return list.finish();
}

function parse(source: Source): { readonly gems: ReadonlyMap<string, Gem>; readonly asked: readonly Edge[] } {
  rejectConflict(source);
  const gems = new Map<string, Gem>();
  const asked: Edge[] = [];
  let section = '';
  let remote = '';
  let gem: Gem | undefined;
  for (const [index, line] of source.text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    if (/^[A-Z][A-Z ]*$/.test(line)) [section, remote, gem] = [line, '', undefined];
    else if (section === '' || !line.startsWith(' ')) {
      throw new LockfileError(source.file, `line ${index + 1}: expected a section such as GEM or DEPENDENCIES`);
    } else if (section === 'DEPENDENCIES') asked.push(...edgeIn(dependency, line));
    else if (section === 'GEM' || Object.hasOwn(elsewhere, section)) {
      remote = /^ {2}remote: (.+)$/.exec(line)?.[1] ?? remote;
      const [, name, version = ''] = spec.exec(line) ?? [];
      if (name === undefined) gem?.needs.push(...edgeIn(need, line));
      else {
        // A gem's version has no hyphen here: the platform follows it.
        const [plain = version] = version.split('-', 1);
        const found = { name, version: plain, section, needs: [], remote, line: index + 1 };
        gem = remember(gems, name, (): Gem => found);
      }
    }
  }
  if (section === '') throw new LockfileError(source.file, 'is not a Gemfile.lock: expected a section such as GEM');
  return { gems, asked };
}

/** The gem that a line names, and the range that it asks for. */
function edgeIn(pattern: RegExp, line: string): Edge[] {
  const [, name, range = anyVersion] = pattern.exec(line) ?? [];
  return name === undefined ? [] : [[name, range]];
}
