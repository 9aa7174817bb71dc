import * as z from 'zod';
import type { LockfileKind } from '../lockfile-kind.js';
import { parseJson, type Source, unlessInvalid } from '../source.js';

export const pnpm: LockfileKind = {
  names: ['pnpm-lock.yaml'],
  ecosystem: 'npm',
  tool: 'pnpm',
  read: async (source) => {
    const reading = await (await import('./pnpm-lock.js')).readPnpmLock(source);
    return { ...reading, tool: `${reading.tool}${(await hasOldOverrides(source)) ? ' package.json' : ''}` };
  },
};

const filled = z.record(z.string(), z.unknown()).refine((table) => Object.keys(table).length > 0);
const withOverrides = z.union([z.object({ pnpm: z.object({ overrides: filled }) }), z.object({ resolutions: filled })]);

/** Whether package.json has overrides: then pnpm 10 reads none of pnpm-workspace.yaml, and says nothing of it. */
async function hasOldOverrides(source: Source): Promise<boolean> {
  const manifest = await source.readRelative('package.json');
  const content = manifest && (await unlessInvalid(() => parseJson(manifest), null));
  return withOverrides.safeParse(content).success;
}
