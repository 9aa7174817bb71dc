import { chmod, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { defineConfig, type Plugin } from 'rolldown';
import { clientTypes } from './scripts/client-types/client-types.js';
import { thirdPartyLicences } from './scripts/third-party.js';
import { makeBundle } from './src/reach/knowledge/bundle.js';
import { bundleName, dateOf, parseSet, readSet } from './src/reach/knowledge/knowledge-set.js';

/** Removes what earlier builds have left in dist/, but for the dashboard and the viewer of /docs, which scripts/ builds. */
const removeOthers: Plugin = {
  name: 'remove-others',
  async writeBundle({ dir = 'dist' }, bundle) {
    const kept = new Set([...Object.keys(bundle), 'docs', 'web']);
    for (const name of await readdir(dir)) {
      if (!kept.has(name)) await rm(path.join(dir, name), { recursive: true, force: true });
    }
  },
};

/** Makes the programs executable: a file that is written anew has lost that, and npx runs it by its path. */
const executable: Plugin = {
  name: 'executable',
  async writeBundle({ dir = 'dist' }, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk' && file.code.startsWith('#!')) await chmod(path.join(dir, file.fileName), 0o755);
    }
  },
};

/** The knowledge of `reach` in one file, beside the programs. */
const knowledge: Plugin = {
  name: 'knowledge',
  generateBundle() {
    const files = readSet('knowledge');
    const source = makeBundle(files, dateOf(parseSet(files)), null);
    this.emitFile({ type: 'asset', fileName: bundleName, source });
  },
};

/** Every file lands beside the others in dist/, so that `new URL('./database-worker.js', import.meta.url)` holds from any chunk. */
export default defineConfig({
  input: {
    postern: 'src/bin/postern.ts',
    'mcp-router': 'src/bin/mcp-router.ts',
    reach: 'src/bin/reach.ts',
    client: 'src/client/index.ts',
    'database-worker': 'src/service/db/embedded/database-worker.ts',
    'upload-worker': 'src/service/upload-worker.ts',
    'list-worker': 'src/service/registries/list-worker.ts',
  },
  platform: 'node',
  // zod comes along: its hundred small files take a third of a short command's start. So does a list in JSON, of which Node 20
  // would warn.
  external: /^(?!\.|\/|zod$|spdx-license-ids\/)/,
  plugins: [
    removeOthers,
    executable,
    knowledge,
    thirdPartyLicences('THIRD-PARTY-LICENSES.txt'),
    clientTypes('client.d.ts'),
  ],
  output: { dir: 'dist', format: 'esm', sourcemap: true, chunkFileNames: '[name]-[hash].js' },
});
