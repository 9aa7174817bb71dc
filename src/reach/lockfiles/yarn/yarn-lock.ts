import type { Reading } from '../package-list.js';
import type { Source } from '../source.js';
import { readYarnBerry } from './yarn-berry.js';
import { readYarnClassic } from './yarn-classic.js';

/** yarn.lock: of Yarn 2 and later (YAML with `__metadata`), or of Yarn 1, which has a format of its own. */
export function readYarnLock(source: Source): Promise<Reading> {
  return /^__metadata:/m.test(source.text) ? readYarnBerry(source) : readYarnClassic(source);
}
