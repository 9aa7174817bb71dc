import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { filesOf, productionFiles } from '../production-files.js';
import { longestPrefix } from './longest-prefix.js';
import { runProgram } from './run-program.js';
import type { TruthFinder } from './truth.js';

const printed = z.record(z.string(), z.string());

const locked = z.object({
  packages: z.array(
    z.looseObject({
      name: z.string(),
      autoload: z.looseObject({ 'psr-4': z.unknown(), 'psr-0': z.unknown(), files: z.unknown() }).partial().optional(),
      extra: z.looseObject({ laravel: z.unknown() }).partial().optional().catch(undefined),
    }),
  ),
});

/**
 * Names by PHP's tokenizer, matched to the namespaces that composer.lock gives each package. What Composer loads with every
 * request (`autoload.files`) and what Laravel discovers is loaded too.
 */
export const phpTruth: TruthFinder = async (folder, listed) => {
  const output = runProgram(
    'php',
    ['bench/oracle/truth/php.php'],
    folder,
    productionFiles(folder, /\.php$/).join('\n'),
  );
  if (output === null) return null;
  const used = new Map<string, string>();
  const owners = new Map<string, string>();
  for (const file of filesOf(folder).filter((each) => /(?:^|\/)composer\.lock$/.test(each))) {
    const { success, data } = locked.safeParse(JSON.parse(readFileSync(join(folder, file), 'utf8')));
    if (!success) continue;
    for (const { name, autoload, extra } of data.packages) {
      if (!listed.has(name)) continue;
      const namespaces = [...keysOf(autoload?.['psr-4']), ...keysOf(autoload?.['psr-0'])];
      for (const namespace of namespaces) owners.set(namespace.replace(/\\$/, ''), name);
      if (keysOf(extra?.laravel).includes('providers')) used.set(name, `${file}: Laravel discovers it`);
      else if (Array.isArray(autoload?.files) && listed.get(name)?.direct === true) {
        used.set(name, `${file}: Composer loads its files with every request`);
      }
    }
  }
  for (const [name, place] of Object.entries(printed.parse(JSON.parse(output)))) {
    const namespace = longestPrefix(name, '\\', owners);
    const owner = namespace === null ? undefined : owners.get(namespace);
    if (owner !== undefined && !used.has(owner)) used.set(owner, `${place} uses ${name}`);
  }
  return { ecosystem: 'Packagist', used };
};

function keysOf(value: unknown): string[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
}
