import path from 'node:path';
import { type RolldownOptions, rolldown } from 'rolldown';
import config from '../../rolldown.config.js';

/** Builds the programs as `npm run build` does, but beside this one: others may be running dist/. Returns the server's file. */
export async function buildProgram(): Promise<string> {
  const options: RolldownOptions[] = [config].flat();
  const dir = path.join(import.meta.dirname, 'program');
  for (const { output: _, ...input } of options) {
    const bundle = await rolldown(input);
    await bundle.write({ dir, format: 'esm', chunkFileNames: '[name]-[hash].js' });
    await bundle.close();
  }
  return path.join(dir, 'postern.js');
}
