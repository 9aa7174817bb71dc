import { join } from 'node:path';
import * as z from 'zod';
import { artifactOf } from '../lockfiles/maven/pom.js';
import { openSource } from '../lockfiles/open-source.js';
import { LockfileError, parseJson, parseShape, parseToml, type Source } from '../lockfiles/source.js';

const named = z.object({ name: z.string() });
const python = z.object({
  project: named.partial().default({}),
  tool: z.object({ poetry: named.partial().default({}) }).prefault({}),
});

/** How each manifest states the project's own name, in the order in which they are asked. */
const manifests: ReadonlyArray<readonly [file: string, nameIn: (source: Source) => string | null | undefined]> = [
  ['package.json', (source) => parseShape(source, named.partial(), parseJson(source)).name],
  ['go.mod', ({ text }) => /^module\s+"?([^\s"]+)/m.exec(text)?.[1]],
  [
    'Cargo.toml',
    (source) => parseShape(source, z.object({ package: named.optional() }), parseToml(source)).package?.name,
  ],
  [
    'pyproject.toml',
    (source) => {
      const { project, tool } = parseShape(source, python, parseToml(source));
      return project.name ?? tool.poetry.name;
    },
  ],
  ['composer.json', (source) => parseShape(source, named.partial(), parseJson(source)).name],
  ['pom.xml', artifactOf],
];

/** The name that the manifest of a folder gives the project; null where none does. */
export async function manifestName(folder: string): Promise<string | null> {
  for (const [file, nameIn] of manifests) {
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
