import { posix } from 'node:path';
import { scopeOfEnvironment } from '../environment-scope.js';
import { addTo } from '../group-by.js';
import { normalisePython, parseRequirement } from '../names.js';
import { PackageList, type Reading, type Scope, type Unplaced } from '../package-list.js';
import { withPythonPeers } from '../python-peers.js';
import { LockfileError, rejectConflict, type Source } from '../source.js';

/** `===` compares the text (PEP 440). */
const pinned = /^={2,3}\s*([^\s,*]+)$/;
const include = /^(?:-(r|c)\s*|--(requirement|constraint)[\s=]\s*)(\S+)/;

/** The project itself, as `-e .[test]`. */
const ownFolder = /^(?:(?:-e|--editable)[\s=]*)?(?:file:)?\.\/?(?:\[[^\]]*\])?(?:\s*;.*)?$/;

/** Files that include one another. */
const maxFiles = 100;

/** Characters of a line, its hashes included. */
const maxLineLength = 100_000;

interface Requirement {
  readonly name: string;
  /** Null where it is not pinned. */
  readonly version: string | null;
  readonly scope: Scope;
  /** What asks for it, from the notes of pip-compile: names, or `-r file` for the project itself. */
  readonly via: string[];
  /** Anything but one pinned version, as the file has it. */
  readonly specifier: string;
  /** The file, where another one includes it, and the line. */
  readonly at: string;
  readonly hashed: boolean;
}

/** A requirement with the one version that is installed. */
type Pinned = Requirement & { readonly version: string };

/** A file to read: its path relative to the first one's folder, and whether it only limits versions (`-c`). */
interface Included {
  readonly path: string;
  readonly constrains: boolean;
}

/**
 * requirements.txt (https://pip.pypa.io/en/stable/reference/requirements-file-format/): the packages pinned
 * with `==`, in the file, in those that it includes, or by a constraints file. Each file is read once. The `# via` notes of
 * pip-compile and uv show what is direct and what depends on what; without such notes every package counts as direct.
 */
export async function readRequirements(source: Source): Promise<Reading> {
  const list = new PackageList(source.file, 'PyPI');
  const { requirements, constraints } = await readFiles(source, list);
  const found = requirements.flatMap((each) => {
    const version = each.version ?? constraints.get(normalisePython(each.name)) ?? null;
    if (version === null) list.unread({ name: each.name, reason: 'range', stated: each.specifier, at: each.at });
    return version === null ? [] : { ...each, version };
  });
  const compiled = found.some(({ via }) => via.length > 0);
  const keys = new Map(found.map((each) => [normalisePython(each.name), keyOf(each)]));
  const wanted = new Map<string, [string, ...string[]]>();
  for (const each of found) {
    for (const by of each.via) {
      const parent = keys.get(normalisePython(by));
      if (parent !== undefined) addTo(wanted, parent, keyOf(each));
    }
  }
  // Without notes or hashes nothing shows that the file names what its packages need.
  if (!compiled && !(requirements.length > 0 && requirements.every(({ hashed }) => hashed))) list.directOnly();
  for (const each of found) {
    list.add({
      key: keyOf(each),
      name: each.name,
      version: each.version,
      scope: each.scope,
      direct: compiled ? each.via.some((by) => !keys.has(normalisePython(by))) : true,
      ...(compiled && { dependencies: wanted.get(keyOf(each)) ?? [] }),
    });
  }
  return withPythonPeers(list.finish());
}

/** Reads a file and all that it includes. Of a constraints file, only the versions count. */
async function readFiles(source: Source, list: PackageList) {
  const requirements: Requirement[] = [];
  const constraints = new Map<string, string>();
  // What a file for production includes is for production, whatever its name.
  const mainScope = scopeOfEnvironment(source.file);
  const waiting = [{ source, path: posix.basename(source.file), constrains: false }];
  const visited = new Set(waiting.map(visitOf));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const scope = mainScope === 'runtime' ? 'runtime' : scopeOfEnvironment(file.path);
    const place = file.path === posix.basename(source.file) ? '' : `${file.path} `;
    const read = readFile(file.source, list, scope, place);
    if (!file.constrains) requirements.push(...read.requirements);
    for (const { name, version } of file.constrains ? read.requirements : []) {
      if (version !== null) constraints.set(normalisePython(name), version);
    }
    for (const { path: given, constrains } of read.included) {
      const path = posix.normalize(posix.join(posix.dirname(file.path), given));
      const next = { path, constrains: constrains || file.constrains };
      if (visited.has(visitOf(next))) continue;
      visited.add(visitOf(next));
      if (visited.size > maxFiles) throw new LockfileError(source.file, `includes more than ${maxFiles} files`);
      const inner = await source.readRelative(path);
      // Limits of versions install nothing.
      if (inner === null && next.constrains) list.skip('is a file of limits that is not there');
      else if (inner === null) list.unread({ name: null, reason: 'missing_file', stated: given, at: file.path });
      else waiting.push({ ...next, source: inner });
    }
  }
  return { requirements, constraints };
}

function visitOf({ path, constrains }: Included): string {
  return `${constrains ? '-c' : '-r'} ${path}`;
}

/** The requirements of one file, and the files that it includes. */
function readFile(source: Source, list: PackageList, scope: Scope, place: string) {
  rejectConflict(source);
  const requirements: Requirement[] = [];
  const included: Included[] = [];
  let last: Requirement | undefined;
  let inVia = false;
  for (const [index, line] of logicalLines(source.text)) {
    const via = /^\s*#\s*(via\b)?\s*(.*)$/.exec(line);
    if (via !== null) {
      inVia = via[1] !== undefined || (inVia && /^\s+#\s{2,}\S/.test(line));
      if (inVia && via[2]) last?.via.push(...via[2].split(',').map((by) => by.trim()));
      continue;
    }
    inVia = false;
    const [text = '', note] = line.split(/(?:^|\s)#/, 2);
    // Options of a requirement, such as hashes, follow it.
    const trimmed = text.trim().split(/\s--/, 1)[0] ?? '';
    const at = `${place}line ${index + 1}`;
    if (trimmed === '') continue;
    last = undefined;
    const file = includedBy(trimmed);
    if (ownFolder.test(trimmed)) list.skip('is a folder of the project');
    else if (file !== null) included.push(file);
    else if (isAddress.test(trimmed)) list.unread({ ...namedAddress(trimmed), at });
    else if (!trimmed.startsWith('-')) {
      const parts = line.length > maxLineLength ? null : parseRequirement(trimmed);
      if (parts === null) {
        const expected = 'expected a requirement such as `flask==3.0.0`, an option or a comment';
        throw new LockfileError(source.file, `line ${index + 1}: ${expected}`);
      }
      const { name, specifier } = parts;
      if (specifier.startsWith('@')) list.unread({ ...namedAddress(specifier.slice(1).trim()), name, at });
      else {
        const hashed = /\s--hash[=\s]/.test(text);
        last = { name, version: pinned.exec(specifier)?.[1] ?? null, scope, via: viaIn(note), specifier, at, hashed };
        requirements.push(last);
      }
    }
  }
  return { requirements, included };
}

/** An address or a folder in the place of a requirement. */
const isAddress = /^(?:(?:-e|--editable)\b|[./]|\S+:\/\/)/;

/** The file that `-r` or `-c` includes; null for any other line. */
function includedBy(line: string): Included | null {
  const [, short, long, path] = include.exec(line) ?? [];
  return path === undefined ? null : { path, constrains: short === 'c' || long === 'constraint' };
}

/** What brings a requirement in, by the note `via a, b` behind it. */
function viaIn(note = ''): string[] {
  const after = /^\s*via\s+(.+)$/.exec(note)?.[1];
  return after?.split(',').map((each) => each.trim()) ?? [];
}

/** An address in the place of a requirement, with the name that its fragment or its archive states. */
function namedAddress(text: string): Pick<Unplaced, 'name' | 'reason' | 'stated'> {
  const address = text.replace(/^(?:-e|--editable)[\s=]*/, '');
  const egg = /[#&]egg=([A-Za-z0-9._-]+)/.exec(address)?.[1];
  const archive = /([A-Za-z0-9._]+?)-\d[^/]*\.(?:whl|tar\.gz|zip)(?:[#?]|$)/.exec(address)?.[1];
  const reason = /^git\+|\.git(?:[@#]|$)/.test(address) ? 'git' : /^[a-z+]+:\/\/(?!\/)/i.test(address) ? 'url' : 'path';
  // A repository may hold a package of another name.
  return { name: egg ?? archive ?? null, reason, stated: address };
}

/** Lines with their index. A line that ends in a backslash is joined with the next. */
function* logicalLines(text: string): Generator<readonly [index: number, line: string]> {
  let parts: string[] = [];
  let start = 0;
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (parts.length === 0) start = index;
    if (line.endsWith('\\') && !line.trimStart().startsWith('#')) {
      parts.push(line.slice(0, -1));
      continue;
    }
    yield [start, [...parts, line].join(' ')];
    parts = [];
  }
  if (parts.length > 0) yield [start, parts.join(' ')];
}

function keyOf({ name, version }: Pinned): string {
  return `${normalisePython(name)}@${version}`;
}
