import type { LanguageReader } from '../analysis/language.js';
import { goReader } from './go/reader.js';
import { jvmReader } from './jvm/reader.js';
import { phpReader } from './php/reader.js';
import { pythonReader } from './python/reader.js';
import { rubyReader } from './ruby/reader.js';
import { rustReader } from './rust/reader.js';

/** The readers of all languages but JavaScript and TypeScript. */
export const languageReaders: readonly LanguageReader[] = [
  pythonReader,
  goReader,
  jvmReader,
  rubyReader,
  rustReader,
  phpReader,
];
