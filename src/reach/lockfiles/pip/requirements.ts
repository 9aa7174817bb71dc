import { posix } from 'node:path';
import { normalisePython } from '../names.js';
import { PackageList, type Reading } from '../package-list.js';
import { LockfileError, rejectConflict, type Source } from '../source.js';

/** A name (PEP 508). */
const nameShape = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?/;
/** `===` compares the text (PEP 440). */
const pinned = /^={2,3}\s*([^\s,*]+)$/;
const include = /^(?:-r\s*|--requirement[\s=]\s*)(\S+)/;

/** Files that include one another. */
const maxFiles = 100;

/** Characters of a line, its hashes included. */
const maxLineLength = 100_000;

interface Requirement {
  readonly name: string;
  readonly version: string;
  /** What asks for it, from the notes of pip-compile: names, or `-r file` for the project itself. */
  readonly via: string[];
}

/**
 * requirements.txt (https://pip.pypa.io/en/stable/reference/requirements-file-format/): the packages pinned
 * with `==`, also in included files of the same folder. The `# via` notes of pip-compile and uv show what is direct and
 * what depends on what; without such notes every package counts as direct.
 */
export async function readRequirements(source: Source): Promise<Reading> {
  const list = new PackageList(source.file, 'PyPI');
  const found: Requirement[] = [];
  const waiting = [{ source, folder: '.', path: posix.basename(source.file) }];
  const visited = new Set(waiting.map(({ path }) => path));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    for (const included of readFile(file.source, list, found)) {
      const path = posix.normalize(posix.join(file.folder, included));
      if (visited.has(path)) continue;
      visited.add(path);
      if (visited.size > maxFiles) throw new LockfileError(source.file, `includes more than ${maxFiles} files`);
      const inner = await source.readRelative(path);
      if (inner === null) list.skip('is an include of a file that is not in the folder');
      else waiting.push({ source: inner, folder: posix.dirname(path), path });
    }
  }
  const compiled = found.some(({ via }) => via.length > 0);
  const keys = new Map(found.map((each) => [normalisePython(each.name), keyOf(each)]));
  const wanted = new Map<string, string[]>();
  for (const each of found) {
    for (const by of each.via) {
      const parent = keys.get(normalisePython(by));
      if (parent !== undefined) wanted.set(parent, [...(wanted.get(parent) ?? []), keyOf(each)]);
    }
  }
  for (const each of found) {
    list.add({
      key: keyOf(each),
      name: each.name,
      version: each.version,
      scope: 'runtime',
      direct: compiled ? each.via.some((by) => !keys.has(normalisePython(by))) : true,
      ...(compiled && { dependencies: wanted.get(keyOf(each)) ?? [] }),
    });
  }
  return list.finish();
}

/** Reads the requirements of one file into `found`; returns the paths of the files that it includes. */
function readFile(source: Source, list: PackageList, found: Requirement[]): string[] {
  rejectConflict(source);
  const included: string[] = [];
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
    if (trimmed === '') continue;
    last = undefined;
    const path = include.exec(trimmed)?.[1];
    if (path !== undefined) included.push(path);
    else if (/^(?:-e|--editable)\b/.test(trimmed) || /^(?:[./]|\S+:\/\/)/.test(trimmed)) {
      list.skip('comes from a URL or a folder, without a version of its ecosystem');
    } else if (trimmed.startsWith('-')) continue;
    else {
      const parts = line.length > maxLineLength ? null : parseRequirement(trimmed);
      if (parts === null) {
        const expected = 'expected a requirement such as `flask==3.0.0`, an option or a comment';
        throw new LockfileError(source.file, `line ${index + 1}: ${expected}`);
      }
      const { name, specifier } = parts;
      const version = pinned.exec(specifier)?.[1];
      if (specifier.startsWith('@')) list.skip('comes from a URL or a folder, without a version of its ecosystem');
      else if (version === undefined) list.skip('is not pinned to one version with ==');
      else {
        const after = /^\s*via\s+(.+)$/.exec(note ?? '')?.[1];
        last = { name, version, via: after?.split(',').map((by) => by.trim()) ?? [] };
        found.push(last);
      }
    }
  }
  return included;
}

/** `name[extra] (== 1.0) ; marker`, the brackets optional; null for any other text. */
function parseRequirement(text: string): { readonly name: string; readonly specifier: string } | null {
  const name = nameShape.exec(text)?.[0];
  if (name === undefined) return null;
  const behind = text.slice(name.length).trimStart();
  const extras = behind.startsWith('[') ? behind.indexOf(']') + 1 : 0;
  const bare = behind.slice(extras).split(';', 1)[0]?.trim() ?? '';
  const specifier = bare.startsWith('(') && bare.endsWith(')') ? bare.slice(1, -1).trim() : bare;
  return specifier === '' || /^[=<>!~@]/.test(specifier) ? { name, specifier } : null;
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

function keyOf({ name, version }: Requirement): string {
  return `${normalisePython(name)}@${version}`;
}
