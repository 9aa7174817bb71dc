import { randomBytes } from 'node:crypto';
import { createSecretBox } from '../../src/service/secrets/secret-box.js';

/** One for all services of a test worker: they share its database. */
export const testSecrets = createSecretBox(randomBytes(32));
