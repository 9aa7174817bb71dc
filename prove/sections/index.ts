import type { Section } from '../support/proof.js';
import { attacksWithOthers } from './attacks.js';
import { headersAndOrigins, offered } from './exposure.js';
import { forgedAddresses } from './forged-addresses.js';
import { fullDisk } from './full-disk.js';
import { interleavedKeys } from './interleaved-keys.js';
import { jsonGarbage, jsonGarbageInWrites } from './json-garbage.js';
import { kills } from './kills.js';
import { operatorRoutes } from './operator.js';
import { permissionMatrix, permissionsOfKey } from './permission-matrix.js';
import { properties } from './properties.js';
import { halfHeads, rawHttp } from './raw-http.js';
import { reportMutation } from './report-mutation.js';
import { swappedIds } from './swapped-ids.js';

/** All sections, in the order in which they run: what may harm the instance comes last. */
export const sections: readonly Section[] = [
  { name: 'exposure', needs: 'target', run: headersAndOrigins },
  { name: 'offered', needs: 'target', run: offered },
  { name: 'key', needs: 'deployment', run: permissionsOfKey },
  { name: 'matrix', needs: 'instance', run: permissionMatrix },
  { name: 'swapped', needs: 'instance', run: swappedIds },
  { name: 'interleaved', needs: 'instance', run: interleavedKeys },
  { name: 'operator', needs: 'instance', run: operatorRoutes },
  { name: 'properties', needs: 'instance', run: properties },
  { name: 'addresses', needs: 'instance', run: forgedAddresses },
  { name: 'raw', needs: 'target', run: rawHttp },
  { name: 'half-heads', needs: 'instance', run: halfHeads },
  { name: 'json', needs: 'target', run: jsonGarbage },
  { name: 'json-writes', needs: 'instance', run: jsonGarbageInWrites },
  { name: 'mutation', needs: 'instance', run: reportMutation },
  { name: 'attacks', needs: 'instance', run: attacksWithOthers },
  { name: 'kills', needs: 'instance', isLong: true, run: kills },
  { name: 'full-disk', needs: 'instance', run: fullDisk },
];
