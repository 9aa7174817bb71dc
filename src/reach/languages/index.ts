import type { LanguageReader } from '../analysis/language.js';
import { goReader } from './go.js';
import { jvmReader } from './jvm.js';
import { phpReader } from './php.js';
import { pythonReader } from './python.js';
import { rubyReader } from './ruby.js';
import { rustReader } from './rust.js';

/** The readers of all languages but JavaScript and TypeScript. */
export const languageReaders: readonly LanguageReader[] = [
  pythonReader,
  goReader,
  jvmReader,
  rubyReader,
  rustReader,
  phpReader,
];
