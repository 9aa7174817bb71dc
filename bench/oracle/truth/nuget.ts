import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { productionFiles } from '../production-files.js';
import { longestPrefix } from './longest-prefix.js';
import type { TruthFinder } from './truth.js';

/** `using` lines of C#: a package is used if its name begins a namespace, as most packages name theirs. */
export const nugetTruth: TruthFinder = async (folder, listed) => {
  const used = new Map<string, string>();
  const names = new Map([...listed.keys()].map((name) => [name.toLowerCase(), name]));
  for (const file of productionFiles(folder, /\.(?:cs|cshtml|razor)$/)) {
    const text = readFileSync(join(folder, file), 'utf8');
    for (const [, namespace = ''] of text.matchAll(/^\s*@?(?:global\s+)?using\s+(?:static\s+)?([\w.]+)/gm)) {
      const found = longestPrefix(namespace.toLowerCase(), '.', names);
      const name = found === null ? undefined : names.get(found);
      if (name !== undefined && !used.has(name)) used.set(name, `${file} uses ${namespace}`);
    }
  }
  return { ecosystem: 'NuGet', used };
};
