import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { jsonOrNull } from '../languages/manifest-text.js';
import { type RunFile, readInPieces } from './run-files.js';

/** What one recording shows: files of JavaScript by URL or path, or modules of Python by name. */
export interface Recording {
  readonly scripts: ReadonlySet<string>;
  readonly modules: ReadonlySet<string>;
}

/** Characters of one URL or module. */
const maxLength = 4096;

/** Names that one recording can hold. */
const maxNames = 500_000;

/** Bytes of a list of modules, which is parsed as a whole. */
const maxListBytes = 32 * 1024 * 1024;

const moduleName = z
  .string()
  .regex(/^[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}\p{N}_]+)*$/u)
  .max(maxLength);
const moduleList = z.array(z.string().max(maxLength)).max(maxNames);
const scriptUrl = z.string().startsWith('file://').max(maxLength);

/** A coverage of V8 begins so (https://nodejs.org/api/cli.html#node_v8_coveragedir). */
const coverageStart = /^\s*\{\s*"(?:result|timestamp|source-map-cache)"\s*:/;

/** `"url":"file:///app/a.js"`. Within a string of JSON its quotes would be escaped. */
const urlField = /"url"\s{0,4}:\s{0,4}("file:[^"\\\n]{1,4090}(?:\\.[^"\\\n]{0,400}){0,20}")/g;

/** `import time:       123 |        456 |   package.module` (python -X importtime). */
const importTime = /^import time:\s{1,20}\d{1,20} \|\s{1,20}\d{1,20} \|\s{1,400}([\w.]{1,400})/gm;

/** `import 'package.module' # <...>` (python -v). */
const verboseImport = /^import '?([\w.]{1,400})'? # /gm;

/** Reads a recording of a run; null for a file that is none, or that cannot be read. */
export async function readRecording({ path, bytes }: RunFile): Promise<Recording | null> {
  const scripts = new Set<string>();
  const modules = new Set<string>();
  let kind: 'coverage' | 'list' | 'log' | null = null;
  const isRead = await readInPieces(path, 2 * maxLength, (piece) => {
    kind ??= coverageStart.test(piece) ? 'coverage' : /^\s*\[/.test(piece) ? 'list' : 'log';
    if (kind === 'list') return false;
    if (kind === 'coverage') for (const [, text = ''] of piece.matchAll(urlField)) addScript(scripts, text);
    else {
      for (const pattern of [importTime, verboseImport]) {
        for (const [, name] of piece.matchAll(pattern)) addModule(modules, name);
      }
    }
    return scripts.size + modules.size < maxNames;
  });
  if (!isRead || kind === null) return null;
  if (kind === 'list' && bytes <= maxListBytes) for (const name of namesInList(path) ?? []) addModule(modules, name);
  // A coverage without a file of a package is one all the same: of a process that loaded none.
  return kind === 'coverage' || modules.size > 0 ? { scripts, modules } : null;
}

function addScript(scripts: Set<string>, text: string): void {
  const parsed = scriptUrl.safeParse(jsonOrNull(text));
  if (parsed.success && /\/(?:node_modules|\.yarn)\//.test(parsed.data)) scripts.add(parsed.data);
}

function addModule(modules: Set<string>, name: unknown): void {
  const parsed = moduleName.safeParse(name);
  // A copy: a part of a text keeps all of the text in memory.
  if (parsed.success) modules.add(Buffer.from(parsed.data).toString());
}

function namesInList(path: string): readonly string[] | null {
  try {
    const parsed = moduleList.safeParse(jsonOrNull(readFileSync(path, 'utf8')));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
