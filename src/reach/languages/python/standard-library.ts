import library from '../../../../knowledge/python/standard-library.json' with { type: 'json' };
import { setsOf } from '../../knowledge/knowledge.js';

export const pythonStandardLibrary = setsOf(library)('modules');
