import * as z from 'zod';
import { PackageList, type Reading } from '../package-list.js';
import { type Edge, rangesOf } from '../ranges.js';
import { parseJson, parseShape, type Source } from '../source.js';

const nugetPackage = z.object({
  type: z.string(),
  resolved: z.string().optional(),
  dependencies: z.record(z.string(), z.string()).default({}),
});

const lock = z.object({ version: z.int(), dependencies: z.record(z.string(), z.record(z.string(), nugetPackage)) });

/**
 * packages.lock.json of NuGet, for every target framework
 * (https://learn.microsoft.com/nuget/consume-packages/package-references-in-project-files#locking-dependencies).
 * It does not show what is for development.
 */
export async function readNugetLock(source: Source): Promise<Reading> {
  const { dependencies: frameworks } = parseShape(source, lock, parseJson(source));
  const list = new PackageList(source.file, 'NuGet');
  const found = new Map<string, { name: string; version: string | undefined; direct: boolean; needs: Edge[] }>();
  for (const packages of Object.values(frameworks)) {
    const keys = new Map(
      Object.entries(packages).map(([name, each]) => [name.toLowerCase(), keyOf(name, each.resolved)]),
    );
    for (const [name, { type, resolved, dependencies }] of Object.entries(packages)) {
      if (type === 'Project') {
        list.own({ name });
        continue;
      }
      const key = keyOf(name, resolved);
      const earlier = found.get(key);
      found.set(key, {
        name,
        version: resolved,
        direct: type === 'Direct' || earlier?.direct === true,
        needs: [
          ...(earlier?.needs ?? []),
          ...Object.entries(dependencies).flatMap(([needed, range]): Edge[] => {
            const found = keys.get(needed.toLowerCase());
            return found === undefined ? [] : [[found, range]];
          }),
        ],
      });
    }
  }
  for (const [key, { name, version, direct, needs }] of found) {
    const dependencies = needs.map(([needed]) => needed);
    list.add({ key, name, version, scope: 'runtime', direct, deprecated: null, dependencies, ...rangesOf(needs) });
  }
  return list.finish();
}

function keyOf(name: string, version = ''): string {
  return `${name.toLowerCase()}@${version}`;
}
