import type { Handlers } from '../api/handler.js';
import { exportOpenVex, exportSbom, getSbomDocument } from '../sbom/handlers.js';
import { checkPackage } from './check-package.js';
import { findExposed } from './find-exposed.js';
import { getPackageHealth } from './get-package-health.js';

export const intelligenceHandlers: Handlers['intelligence'] = {
  checkPackage,
  findExposed,
  getPackageHealth,
  exportSbom,
  getSbomDocument,
  exportOpenVex,
};
