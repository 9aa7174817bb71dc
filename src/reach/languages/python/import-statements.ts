import type { Range } from '../ranges.js';

/** An import statement. `module` is relative where it begins with dots. */
export interface PythonImport {
  readonly module: string;
  /** The names of a from-import; null for `import module`. */
  readonly names: readonly { readonly name: string; readonly as: string }[] | null;
  /** The name that `import module as x` binds; without `as` the first part of the module. */
  readonly as: string | null;
  readonly offset: number;
}

const importStart = /(?<=^|[;:])[ \t\f\r]*\b(?:import|from)\b/gm;
const aliased = /^(\S+)\s+as\s+(\S+)$/;

/** All import statements of masked code, and their ranges. */
export function importsIn(source: string): { imports: PythonImport[]; ranges: Range[] } {
  const imports: PythonImport[] = [];
  const ranges: Range[] = [];
  // Cython's own import is one of a package too: `cimport numpy`.
  const code = source.replaceAll(/\bcimport\b/g, ' import');
  for (const match of code.matchAll(importStart)) {
    const keyword = match[0].trimStart();
    const start = match.index + match[0].length - keyword.length;
    // In text that is no Python, one statement may seem to begin within another.
    if (start < (ranges.at(-1)?.[1] ?? 0)) continue;
    const end = endOfStatement(code, start);
    const statement = code.slice(start, end);
    const found = keyword === 'import' ? plainImports(statement, start) : fromImport(statement, start);
    if (found.length > 0) {
      imports.push(...found);
      ranges.push([start, end]);
    }
  }
  return { imports, ranges };
}

function endOfStatement(code: string, start: number): number {
  for (let at = start; at < code.length; at++) {
    const char = code[at];
    if (char === '\n' || char === ';') return at;
  }
  return code.length;
}

function plainImports(statement: string, start: number): PythonImport[] {
  const imports: PythonImport[] = [];
  let offset = 'import'.length;
  for (const part of statement.slice(offset).split(',')) {
    const text = part.trim();
    const [, module = text, as = null] = aliased.exec(text) ?? [];
    const name = module.replaceAll(/\s+/g, '');
    if (name !== '') {
      const leading = part.length - part.trimStart().length;
      imports.push({ module: name, names: null, as, offset: start + offset + leading });
    }
    offset += part.length + 1;
  }
  return imports;
}

function fromImport(statement: string, start: number): PythonImport[] {
  const keyword = /\bimport\b/.exec(statement.slice('from'.length));
  if (keyword === null) return [];
  const middle = 'from'.length + keyword.index;
  const module = statement.slice('from'.length, middle).replaceAll(/\s+/g, '');
  if (module === '') return [];
  const names = statement
    .slice(middle + 'import'.length)
    .replaceAll(/[()]/g, ' ')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((text) => {
      const [, name = text, as = name] = aliased.exec(text) ?? [];
      return { name, as };
    });
  return names.length === 0 ? [] : [{ module, names, as: null, offset: start }];
}
