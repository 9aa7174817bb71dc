import { maskCLike } from '../c-like-mask.js';
import { FirstReferences } from '../first-references.js';
import type { FileGap, ParsedFile } from '../language.js';
import { isStringAt } from '../mask.js';
import { positionsIn } from '../positions.js';

const syntax = { nestsComments: false, hasTextBlocks: true, hasBackquotes: false, isRust: false } as const;
const nestingSyntax = { ...syntax, nestsComments: true } as const;

/** A file of Java, Kotlin, Scala or Groovy, and the package that its classes are in. */
export interface ParsedJvm extends ParsedFile {
  readonly packageName: string;
  /** Spring looks for components in the package of such a class, and so reaches everything below it. */
  readonly scansPackage: boolean;
}

const packageLine = /^[ \t]*package[ \t]+([\w.]+)/m;
/** In Scala one import may name several classes of a package: `import a.b.{C, D => E}`. */
const importLine = /(?:^|;)[ \t]*import[ \t]+(?:static[ \t]+)?([\w.`]{1,1000}\*?)(?:\{([^}\n]{0,5000})\})?/gm;

/** A class by its full name, without an import: packages in lower case, then a name with a capital letter. */
const qualified = /(?<![\w.@"])((?:[a-z_][a-z0-9_]*\.){2,12}[A-Z]\w*)/g;
/** A class by its full name in a string: reflection, settings in annotations, names of drivers. */
const quotedClass = /"((?:[a-z_][a-z0-9_]{0,60}\.){2,12}[A-Z]\w{0,100})"/g;
/** A class that is loaded by a name which is no literal. */
const computedClass = /\b(?:Class\s*\.\s*forName|loadClass)\s*\(\s*(?=[\w$(])/g;
/** Gaps of one file; one already hides any package. */
const maxGaps = 20;
const mainMethod =
  /\bstatic\b[^;{}()]{0,80}\bvoid\s+main\s*\(|^[ \t]*(?:suspend\s+)?fun\s+main\s*\(|\bobject\s+\w+\s+extends\s+App\b/m;
const springApplication = /@SpringBootApplication\b|@QuarkusMain\b|@MicronautApplication\b/;

/** Parses one file of a language of the Java virtual machine. Symbols are full class names. */
export function parseJvm(path: string, text: string): ParsedJvm {
  const { code, isBroken } = maskCLike(text, path.endsWith('.java') ? syntax : nestingSyntax);
  const placeOf = positionsIn(text);
  const references = new FirstReferences(placeOf);
  addImports(references, code);
  for (const { 1: name = '', index } of code.matchAll(qualified)) {
    const line = code.slice(code.lastIndexOf('\n', index) + 1, index + 1);
    // Never complete: calls on an object of a class are not found.
    if (!/^[ \t]*(?:import|package)\b/.test(line))
      references.add({ target: name, kind: 'import', symbols: [name] }, index);
  }
  for (const { 0: whole, 1: name = '', index } of text.matchAll(quotedClass)) {
    if (isStringAt(text, code, [index, index + whole.length]))
      references.add({ target: name, kind: 'mention' }, index + 1);
  }
  const gaps: FileGap[] = [];
  for (const { 0: call, index } of code.matchAll(computedClass)) {
    if (gaps.length >= maxGaps) break;
    const { line } = placeOf(index);
    const detail = `${call.replaceAll(/\s/g, '')}…) of a computed name`;
    gaps.push({ kind: 'unknown_dynamic', line, detail, hides: 'any' });
  }
  const scansPackage = springApplication.test(code);
  const isMain = scansPackage || mainMethod.test(code);
  return {
    references: references.all,
    gaps,
    // Templates of Kotlin and Scala hold code with strings in it, which the mask does not read: they may look broken.
    isBroken: isBroken && path.endsWith('.java'),
    entry: isMain ? 'a main method' : null,
    packageName: packageLine.exec(code)?.[1] ?? '',
    scansPackage,
  };
}

/** Adds what imports name: a class, or the package of `import a.b.*`. */
function addImports(references: FirstReferences, code: string): void {
  for (const { 0: whole, 1: name = '', 2: group, index } of code.matchAll(importLine)) {
    const target = name.replaceAll('`', '').replace(/\.$/, '');
    const members = group?.split(',').map((member) => `.${member.trim().split(/\s/, 1)[0] ?? ''}`) ?? [''];
    for (const member of members) {
      const imported = `${target}${member}`;
      const named = imported.replace(/\.[*_]$/, '');
      const symbols = named === imported ? [named] : [];
      references.add({ target: named, kind: 'import', symbols }, index + whole.indexOf('import'), imported);
    }
  }
}
