import path from 'node:path';
import { type RolldownOptions, rolldown } from 'rolldown';
import config from '../../rolldown.config.js';

/** Builds the programs as `npm run build` does, but apart from dist/, which others may be running. Returns the server's file. */
export async function buildProgram(): Promise<string> {
  const options: RolldownOptions[] = [config].flat();
  const dir = path.resolve('node_modules/.cache/postern-prove', `program-${process.pid}`);
  for (const { output: _, ...input } of options) {
    const bundle = await rolldown(input);
    await bundle.write({ dir, format: 'esm', chunkFileNames: '[name]-[hash].js' });
    await bundle.close();
  }
  return path.join(dir, 'postern.js');
}
