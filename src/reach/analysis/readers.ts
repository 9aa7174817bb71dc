import type { LanguageReader } from './language.js';

/** The readers of all languages that are analysed. */
export const readers: readonly LanguageReader[] = [];
