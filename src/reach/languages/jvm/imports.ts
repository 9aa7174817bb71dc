import { maskCLike } from '../c-like-mask.js';
import type { FileGap, ParsedFile, Reference } from '../language.js';
import { Lines } from '../lines.js';
import { isStringAt } from '../mask.js';

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
  const lines = new Lines(text);
  const references = new Map<string, Reference>();
  const add = (target: string, offset: number, isClass: boolean) => {
    if (references.has(target)) return;
    const name = isClass ? target : target.replace(/\.[*_]$/, '');
    references.set(target, {
      target: name,
      ...lines.placeOf(offset),
      kind: 'import',
      // Never complete: calls on an object of a class are not found.
      symbols: name === target ? [name] : [],
    });
  };
  const mention = (target: string, offset: number) => {
    if (!references.has(target)) references.set(target, { target, ...lines.placeOf(offset), kind: 'mention' });
  };
  for (const { 0: whole, 1: name = '', 2: group, index } of code.matchAll(importLine)) {
    const offset = index + whole.indexOf('import');
    const target = name.replaceAll('`', '').replace(/\.$/, '');
    if (group === undefined) add(target, offset, false);
    else
      for (const member of group.split(',')) add(`${target}.${member.trim().split(/\s/, 1)[0] ?? ''}`, offset, false);
  }
  for (const { 1: name = '', index } of code.matchAll(qualified)) {
    if (!/^[ \t]*(?:import|package)\b/.test(code.slice(code.lastIndexOf('\n', index) + 1, index + 1))) {
      add(name, index, true);
    }
  }
  for (const { 0: whole, 1: name = '', index } of text.matchAll(quotedClass)) {
    if (isStringAt(text, code, [index, index + whole.length])) mention(name, index + 1);
  }
  const gaps: FileGap[] = [];
  for (const { 0: call, index } of code.matchAll(computedClass)) {
    if (gaps.length >= maxGaps) break;
    const { line } = lines.placeOf(index);
    const detail = `${call.replaceAll(/\s/g, '')}…) of a computed name`;
    gaps.push({ kind: 'unknown_dynamic', line, detail, hides: 'any' });
  }
  const scansPackage = springApplication.test(code);
  const isMain = scansPackage || mainMethod.test(code);
  return {
    references: [...references.values()],
    gaps,
    // Templates of Kotlin and Scala hold code with strings in it, which the mask does not read: they may look broken.
    isBroken: isBroken && path.endsWith('.java'),
    entry: isMain ? 'a main method' : null,
    packageName: packageLine.exec(code)?.[1] ?? '',
    scansPackage,
  };
}
