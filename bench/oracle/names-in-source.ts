import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ecosystem } from '../../src/shared/packages/ecosystem.js';
import { productionFiles } from './production-files.js';

/** Sources and configuration whose text may name a package; manifests, lock files and prose name packages without a use. */
const textual =
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|mdx|coffee|html|pug|ejs|hbs|py|go|rs|rb|rake|ru|php|java|kt|cs|ya?ml|toml|xml|ini|cfg|sh|properties|gradle|erb|haml|slim)$/;
const manifests =
  /(?:^|\/)(?:package\.json|pyproject\.toml|pylock[^/]*|pom\.xml|Cargo\.toml|build\.gradle|pnpm-[^/]*|[^/]*\.lock|poetry\.toml|pylock[^/]*|dependabot\.yml|renovate[^/]*|mkdocs\.yml)$/;

/** Comments of the usual kinds, roughly: this only has to tell `// helmet` from `require('helmet')`. */
const comments = /\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->|^\s*(?:\/\/|#).*$|\s\/\/ .*$/gm;

/** Which of the packages production source or configuration names as a whole string, each with the first file. */
export function namedIn(folder: string, ecosystem: Ecosystem, names: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  // A Maven coordinate is nothing that source names.
  if (names.length === 0 || ecosystem === 'Maven') return found;
  const wanted = new Set(names);
  for (const file of productionFiles(folder, textual)) {
    if (manifests.test(file)) continue;
    const text = readFileSync(join(folder, file), 'utf8').replaceAll(comments, '');
    for (const [, name = ''] of text.matchAll(/["'`]((?:@[\w.-]+\/)?[\w.-]+(?:\/[\w.-]+)*)["'`/]/g)) {
      for (const each of [
        name,
        name
          .split('/')
          .slice(0, name.startsWith('@') ? 2 : 1)
          .join('/'),
      ]) {
        if (wanted.has(each) && !found.has(each)) found.set(each, `${file} names '${name}'`);
      }
    }
  }
  return found;
}
