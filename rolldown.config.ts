import { defineConfig } from 'rolldown';

/** Every file lands beside the others in dist/, so that `new URL('./database-worker.js', import.meta.url)` holds from any chunk. */
export default defineConfig({
  input: {
    postern: 'src/bin/postern.ts',
    'mcp-router': 'src/bin/mcp-router.ts',
    reach: 'src/bin/reach.ts',
    client: 'src/client/index.ts',
    'database-worker': 'src/service/db/embedded/database-worker.ts',
    'upload-worker': 'src/service/upload-worker.ts',
  },
  platform: 'node',
  // zod comes along: its hundred small files take a third of a short command's start.
  external: /^(?!\.|\/|zod$)/,
  output: { dir: 'dist', format: 'esm', sourcemap: true, cleanDir: true, chunkFileNames: '[name]-[hash].js' },
});
