import type { Handlers } from '../http/handler.js';
import { checkPackage } from './check-package.js';
import { findExposed } from './find-exposed.js';
import { getPackageHealth } from './get-package-health.js';

export const intelligenceHandlers: Handlers['intelligence'] = { checkPackage, findExposed, getPackageHealth };
