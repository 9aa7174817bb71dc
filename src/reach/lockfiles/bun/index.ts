import type { LockfileKind } from '../lockfile-kind.js';
import { toolIn } from '../manifest.js';
import { withOverrides } from '../own-overrides.js';

export const bun: LockfileKind = {
  names: ['bun.lock'],
  ecosystem: 'npm',
  tool: 'bun',
  read: async (source) => {
    const reading = await (await import('./bun-lock.js')).readBunLock(source);
    const declared = await toolIn(source, 'bun');
    // Bun 1.2 and 1.3 write 0 and 1.
    const written = /"lockfileVersion": [01]\b/.test(source.text) ? 'bun@1.2' : 'bun@1.4';
    return { ...(await withOverrides(reading, source, 'bun')), tool: declared === 'bun' ? written : declared };
  },
};
