import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Directive, parseSync, type Statement } from 'oxc-parser';
import { isolatedDeclarationSync } from 'rolldown/experimental';

/** Declarations of one file, as the printer of the compiler has them, or written by the build. */
interface Part {
  readonly file: string;
  readonly text: string;
  /** Whether all that it exports is exported. */
  readonly isPublic: boolean;
}

/**
 * The types of a module and of what it imports from this project, in one declaration file. It exports what the module exports, and
 * what `written` does.
 *
 * @param written declarations in the place of modules, by file
 * @throws where a module leaves a type to be inferred, and where two have a type of one name
 */
export function oneDeclarationFile(entry: string, written: ReadonlyMap<string, string>): string {
  const joined = new Joined();
  const files = new Set([entry]);
  // The set grows while it is walked.
  for (const file of files) {
    const text = written.get(file);
    const part = { file, text: text ?? declarationsOf(file), isPublic: file === entry || text !== undefined };
    for (const module of joined.add(part)) files.add(path.join(path.dirname(file), module.replace(/\.js$/, '.ts')));
  }
  return joined.text();
}

function declarationsOf(file: string): string {
  const { code, errors } = isolatedDeclarationSync(file, readFileSync(file, 'utf8'), { sourcemap: false });
  const [first] = errors;
  if (first !== undefined) throw new Error(`${file}: ${first.message}`);
  // The printer takes away the space before the stars of a comment.
  return code.replaceAll('\t', '  ').replace(/^( *)\*/gm, '$1 *');
}

class Joined {
  readonly #declared = new Map<string, string>();
  readonly #exported = new Set<string>();
  /** Names by package. */
  readonly #imported = new Map<string, Set<string>>();

  /** Takes in the declarations of a file. Returns the modules of this project that it imports. */
  add({ file, text, isPublic }: Part): readonly string[] {
    const { program, comments, errors } = parseSync('module.d.ts', text);
    const [error] = errors;
    if (error !== undefined) throw new Error(`${file}: ${error.message} ${error.codeframe ?? ''}`);
    const modules: string[] = [];
    let end = 0;
    for (const statement of program.body) {
      const before = comments.find((comment) => comment.start >= end && comment.end <= statement.start);
      const source = text.slice(before?.start ?? statement.start, statement.end);
      end = statement.end;
      const module = this.#moduleOf(statement);
      if (module !== undefined) modules.push(module);
      if (isPublic) for (const name of exportedNames(statement)) this.#exported.add(name);
      const name = declaredName(statement);
      if (name === undefined) continue;
      if (this.#declared.has(name)) throw new Error(`${file}: the client has another type of the name ${name}`);
      this.#declared.set(name, source.replace(/^export (?=type|interface|declare)/m, ''));
    }
    return modules;
  }

  /** The module of this project that a statement imports. Names of packages are noted. */
  #moduleOf(statement: Statement | Directive): string | undefined {
    const isExport = statement.type === 'ExportNamedDeclaration';
    if (!isExport && statement.type !== 'ImportDeclaration') return undefined;
    const module = statement.source?.value;
    if (module === undefined || module.startsWith('.')) return module;
    const names = isExport ? [] : statement.specifiers.map(({ local }) => local.name);
    this.#imported.set(module, new Set([...(this.#imported.get(module) ?? []), ...names]));
    return undefined;
  }

  /** What is exported and what that needs: modules also export to each other. */
  text(): string {
    const needed = new Set(this.#exported);
    const words = new Set<string>();
    for (const name of needed) {
      for (const [word] of (this.#declared.get(name) ?? '').replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/[\w$]+/g)) {
        words.add(word);
        if (this.#declared.has(word)) needed.add(word);
      }
    }
    const imports = [...this.#imported].flatMap(([module, names]) => {
      const used = [...names].filter((name) => words.has(name)).sort();
      return used.length === 0 ? [] : [`import type { ${used.join(', ')} } from '${module}';\n`];
    });
    const declarations = [...this.#declared].flatMap(([name, text]) => {
      if (!needed.has(name)) return [];
      return [`${this.#exported.has(name) ? text.replace(/^(?=type|interface|declare)/m, 'export ') : text}\n`];
    });
    // Without it a declaration file exports all that it declares.
    return [imports.join(''), ...declarations, 'export {};\n'].join('\n');
  }
}

function exportedNames(statement: Statement | Directive): readonly string[] {
  if (statement.type !== 'ExportNamedDeclaration') return [];
  const declared = declaredName(statement);
  if (declared !== undefined) return [declared];
  return statement.specifiers.flatMap(({ exported }) => (exported.type === 'Identifier' ? [exported.name] : []));
}

function declaredName(statement: Statement | Directive): string | undefined {
  const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  switch (declaration?.type) {
    case 'TSDeclareFunction':
      return declaration.id?.name;
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
      return declaration.id.name;
    default:
      return undefined;
  }
}
