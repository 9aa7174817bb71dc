import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './build.js';

/**
 * The example of docs/beyond-one-machine.md in this language, with places of the test in it. Throws where a text to replace is not there:
 * the test would use something else than the example.
 */
export function documentedConfig(language: string, places: ReadonlyArray<readonly [from: string, to: string]>): string {
  const text = readFileSync(path.join(root, 'docs/beyond-one-machine.md'), 'utf8');
  const [, example] = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(text) ?? [];
  if (example === undefined) throw new Error(`there is no example in ${language}`);
  return places.reduce((config, [from, to]) => {
    if (!config.includes(from)) throw new Error(`the example in ${language} does not say: ${from}`);
    return config.replace(from, () => to);
  }, example);
}
