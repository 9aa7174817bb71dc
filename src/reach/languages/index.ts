import { goReader } from './go/reader.js';
import { javascriptReader } from './javascript/reader.js';
import { jvmReader } from './jvm/reader.js';
import type { LanguageReader } from './language-reader.js';
import { phpReader } from './php/reader.js';
import { pythonReader } from './python/reader.js';
import { rubyReader } from './ruby/reader.js';
import { rustReader } from './rust/reader.js';

/** The readers of all languages: the one list. Sites of a report keep this order. */
export const languageReaders: readonly LanguageReader[] = [
  javascriptReader,
  pythonReader,
  goReader,
  jvmReader,
  rubyReader,
  rustReader,
  phpReader,
];
