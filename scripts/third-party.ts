import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'rolldown';
import * as z from 'zod';

const manifest = z.object({ name: z.string(), version: z.string(), license: z.string() });

/** Writes the licences of the packages that a build has taken in beside its files: each asks that its text goes with every copy. */
export function thirdPartyLicences(fileName: string): Plugin {
  return {
    name: 'third-party-licences',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
      this.emitFile({ type: 'asset', fileName, source: licencesOf(modules) });
    },
  };
}

/**
 * The licence texts of the packages that modules are of, sorted by name.
 * @throws where a package has no licence text: such a package cannot be taken in
 */
function licencesOf(modules: readonly string[]): string {
  const folders = new Set(modules.flatMap((id) => /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? []));
  return [...folders]
    .map((folder) => {
      const { name, version, license } = manifest.parse(
        JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')),
      );
      const file = readdirSync(folder).find((each) => /^(?:licen[cs]e|copying)(?:\.|-mit|$)/i.test(each));
      const title = `${name} ${version} (${license})\n`;
      if (file !== undefined) return `${title}\n${readFileSync(path.join(folder, file), 'utf8').trim()}\n`;
      // It waives all rights, and asks for nothing.
      if (license === 'CC0-1.0') return title;
      throw new Error(`${name} has no licence text`);
    })
    .sort()
    .join(`\n${'-'.repeat(80)}\n\n`);
}
