import { setsOf } from '../../knowledge/knowledge.js';

export const pythonStandardLibrary = setsOf('python/standard-library')('modules');
