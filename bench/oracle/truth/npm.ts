import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { productionFiles } from '../production-files.js';
import type { TruthFinder } from './truth.js';

const plain = /\.[cm]?[jt]sx?$/;
const source = /\.(?:[cm]?[jt]sx?|vue|svelte|html)$/;

const importClause = /\bimport\s+(?!type\b)([^'"();]*?)\bfrom\b/g;

/** An import for its effect alone stays, whatever binding the markup uses; one of types alone is dropped with its types. */
function keepImport(whole: string, clause = ''): string {
  return /^\{(?:\s*type\s[^,]*,?)+\s*\}\s*$/.test(clause) ? whole : 'import ';
}

/** Each production file is bundled by itself, with everything external: what its compiled form still imports is loaded. */
export const npmTruth: TruthFinder = async (folder, listed) => {
  const used = new Map<string, string>();
  const files = productionFiles(folder, source);
  const note = (specifier: string, importer: string) => {
    // The bundler writes the first itself; the second are Node's own where a package has the same name.
    if (/^react\/jsx-(?:dev-)?runtime$/.test(specifier) || builtinModules.includes(specifier)) return;
    const name = specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/');
    if (listed.has(name) && !used.has(name)) used.set(name, `${importer} imports '${specifier}'`);
  };
  const bundleFiles = async (some: readonly string[]): Promise<void> => {
    try {
      await bundleAlone(folder, some, note);
    } catch {
      // A file that does not parse fails the whole bundle: halve until it stands alone, and leave that one out.
      const middle = some.length >> 1;
      if (middle === 0) return;
      await bundleFiles(some.slice(0, middle));
      await bundleFiles(some.slice(middle));
    }
  };
  for (let start = 0; start < files.length; start += 128) await bundleFiles(files.slice(start, start + 128));
  return { ecosystem: 'npm', used };
};

async function bundleAlone(
  folder: string,
  files: readonly string[],
  note: (specifier: string, importer: string) => void,
): Promise<void> {
  const paths = new Map(files.map((file) => [join(folder, file), file]));
  const build = await rolldown({
    cwd: folder,
    input: Object.fromEntries([...paths.keys()].map((path, index) => [`f${index}`, path])),
    platform: 'node',
    logLevel: 'silent',
    treeshake: false,
    tsconfig: false,
    plugins: [
      {
        name: 'alone',
        resolveId: (specifier, importer) => {
          if (importer === undefined) return { id: specifier };
          note(specifier, paths.get(importer) ?? importer);
          return { id: specifier, external: true };
        },
        load: (id) => {
          const text = readFileSync(id, 'utf8');
          if (plain.test(id))
            return { code: text, moduleType: /\.[cm]?ts$/.test(id) ? 'ts' : /\.tsx$/.test(id) ? 'tsx' : 'jsx' };
          const scripts = Array.from(text.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/gi));
          // Between the scripts of a component a binding may be used by the markup alone, so no import may be dropped.
          const code = scripts
            .filter(
              ([, attributes = '']) =>
                !/\bsrc=/.test(attributes) && (!id.endsWith('.html') || /module/.test(attributes)),
            )
            .map(([, , script = '']) => script.replaceAll(importClause, keepImport))
            .join('\n');
          return { code, moduleType: 'tsx' };
        },
      },
    ],
  });
  try {
    await build.generate({ format: 'esm' });
  } finally {
    await build.close();
  }
}
