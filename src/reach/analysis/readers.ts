import { languageReaders } from '../languages/index.js';
import { javascriptReader } from '../languages/javascript/reader.js';
import type { LanguageReader } from './language.js';

/** The readers of all languages that are analysed. */
export const readers: readonly LanguageReader[] = [javascriptReader, ...languageReaders];
