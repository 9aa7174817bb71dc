import { defineConfig } from 'rolldown';
import { clientTypes } from './client-types.js';

/** The client alone, out of the way of what runs from dist/: for `npm run check`. */
export default defineConfig({
  input: { client: 'src/client/index.ts' },
  platform: 'node',
  external: /^(?!\.|\/)/,
  plugins: [clientTypes('client.d.ts')],
  output: { dir: 'node_modules/.cache/postern-client-types', format: 'esm' },
});
