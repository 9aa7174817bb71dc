import { join } from 'node:path';
import * as z from 'zod';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { artifactOf } from '../lockfiles/maven/pom.js';
import { openSource } from '../lockfiles/open-source.js';
import { LockfileError, parseJson, parseShape, parseToml, type Source } from '../lockfiles/source.js';

const named = z.object({ name: z.string() });
const python = z.object({
  project: named.partial().default({}),
  tool: z.object({ poetry: named.partial().default({}) }).prefault({}),
});

/** How each manifest states the project's own name, in the order in which they are asked. */
const manifests: ReadonlyArray<
  readonly [file: string, ecosystem: Ecosystem, nameIn: (source: Source) => string | null | undefined]
> = [
  ['package.json', 'npm', (source) => parseShape(source, named.partial(), parseJson(source)).name],
  ['go.mod', 'Go', ({ text }) => /^module\s+"?([^\s"]+)/m.exec(text)?.[1]],
  [
    'Cargo.toml',
    'crates.io',
    (source) => parseShape(source, z.object({ package: named.optional() }), parseToml(source)).package?.name,
  ],
  [
    'pyproject.toml',
    'PyPI',
    (source) => {
      const { project, tool } = parseShape(source, python, parseToml(source));
      return project.name ?? tool.poetry.name;
    },
  ],
  ['composer.json', 'Packagist', (source) => parseShape(source, named.partial(), parseJson(source)).name],
  ['pom.xml', 'Maven', artifactOf],
];

/** The name that the manifest of a folder gives the project, of one ecosystem or of any; null where none does. */
export async function manifestName(folder: string, of?: Ecosystem): Promise<string | null> {
  for (const [file, ecosystem, nameIn] of manifests) {
    if (of !== undefined && of !== ecosystem) continue;
    try {
      const source = await openSource(join(folder, file));
      const name = source === null ? null : nameIn(source);
      if (name) return name;
    } catch (error) {
      // A broken manifest names nothing; who needs more of it reports the fault.
      if (!(error instanceof LockfileError)) throw error;
    }
  }
  return null;
}
