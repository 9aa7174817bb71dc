import type { LockfileKind } from '../lockfile-kind.js';
import { toolIn } from '../manifest.js';
import { withOverrides } from '../own-overrides.js';

export const yarn: LockfileKind = {
  names: ['yarn.lock'],
  ecosystem: 'npm',
  tool: 'yarn',
  // Yarn 2 and later write YAML with `__metadata`, Yarn 1 a format of its own.
  read: async (source) => {
    const [, format] = /^__metadata:\s+version: (\d+)/m.exec(source.text) ?? [];
    const isBerry = /^__metadata:/m.test(source.text);
    const reading = isBerry
      ? await (await import('./yarn-berry.js')).readYarnBerry(source)
      : await (await import('./yarn-classic.js')).readYarnClassic(source);
    const declared = await toolIn(source, 'yarn');
    const written = isBerry ? `yarn@${majorOf(Number(format ?? 0))}` : 'yarn@1';
    return { ...(await withOverrides(reading, source, 'yarn')), tool: declared === 'yarn' ? written : declared };
  },
};

/**
 * The major version that writes a format of yarn.lock
 * (https://github.com/yarnpkg/berry/blob/master/packages/yarnpkg-core/sources/Project.ts).
 */
function majorOf(format: number): number {
  if (format < 5) return 2;
  return format < 7 ? 3 : 4;
}
