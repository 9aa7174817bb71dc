import type { Scope } from './package-list.js';
import type { Source } from './source.js';

const gem = /^\s*gem[\s(]+(['"])([A-Za-z0-9._-]+)\1(.*)$/;
const group = /^\s*group[\s(]+(.*?)\)?\s+do\b/;
const opens = /\bdo\s*(?:\|[^|]*\|)?\s*$|^\s*(?:if|unless|case|begin|def|while|until|for)\b/;
const inGroups = /(?:\bgroups?:|:groups?\s*=>)\s*(\[[^\]]*\]|:\w+)/;

const requires = /\brequire(?::|\s*=>)\s*(\[[^\]]*\]|["'][^"']+["'])/;

/** Characters; a longer line is not read. */
const maxLineLength = 1000;

/** Groups that production does not install, by convention (https://bundler.io/guides/groups.html). */
const developmentGroups = new Set(['development', 'test', 'doc', 'docs', 'rubocop', 'lint', 'tools', 'ci']);

/** A gem that a Gemfile names. */
export interface NamedGem {
  readonly name: string;
  /** From 1. */
  readonly line: number;
  readonly scope: Scope;
  /** Whether Bundler.require loads it: false after `require: false`. */
  readonly loaded: boolean;
  /** The paths that Bundler.require requires in the place of its name: those after `require:`. */
  readonly paths: readonly string[];
}

/** The gems that a Gemfile names, one a line. The file is Ruby code; it is read as text and never run. */
export function gemsIn(text: string): NamedGem[] {
  const gems: NamedGem[] = [];
  const blocks: (readonly string[] | null)[] = [];
  for (const [index, whole] of text.split(/\r?\n/).entries()) {
    if (whole.length > maxLineLength) continue;
    const line = whole.replace(/(?:^|\s)#.*$/, '');
    const [, , name, rest = ''] = gem.exec(line) ?? [];
    if (name !== undefined) {
      const named = symbolsIn(inGroups.exec(rest)?.[1] ?? '');
      const groups = named.length > 0 ? named : (blocks.findLast((block) => block !== null) ?? []);
      gems.push({
        name,
        line: index + 1,
        scope: groups.length > 0 && groups.every((each) => developmentGroups.has(each)) ? 'development' : 'runtime',
        loaded: !/\brequire(?::|\s*=>)\s*(?:false|nil|\[\s*\])/.test(rest),
        paths: [...(requires.exec(rest)?.[1] ?? '').matchAll(/["']([^"']+)["']/g)].map(([, path = '']) => path),
      });
    }
    const grouped = group.exec(line)?.[1];
    if (grouped !== undefined) blocks.push(symbolsIn(grouped));
    else if (opens.test(line)) blocks.push(null);
    else if (/^\s*end\b/.test(line)) blocks.pop();
  }
  return gems;
}

/** The gems of the Gemfile in a lock file's folder, null without one. */
export async function readGemfile(source: Source): Promise<NamedGem[] | null> {
  const manifest = (await source.readRelative('Gemfile')) ?? (await source.readRelative('gems.rb'));
  return manifest && gemsIn(manifest.text);
}

function symbolsIn(text: string): string[] {
  return [...text.matchAll(/:(\w+)|['"](\w+)['"]|\b(\w+)\b/g)].map(
    ([, symbol, quoted, word]) => symbol ?? quoted ?? word ?? '',
  );
}
