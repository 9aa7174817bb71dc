import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { defineConfig, type Plugin } from 'rolldown';
import { thirdPartyLicences } from '../../scripts/third-party.js';
import { zip } from '../../scripts/zip.js';

/** Packs the built program with its manifest into postern.mcpb, which desktop clients open, and describes that for the MCP registry. */
const bundle: Plugin = {
  name: 'mcpb',
  async writeBundle(_options, files) {
    const built = Object.values(files).map((file) => [
      `server/${file.fileName}`,
      file.type === 'chunk' ? file.code : file.source,
    ]);
    const own = { 'manifest.json': await readFile('deploy/mcpb/manifest.json'), LICENSE: await readFile('LICENSE') };
    const archive = zip({ ...own, ...Object.fromEntries(built) });
    const fileSha256 = createHash('sha256').update(archive).digest('hex');
    const { packages, ...server } = JSON.parse(await readFile('deploy/mcpb/server.json', 'utf8'));
    const described = { ...server, packages: [{ ...packages[0], fileSha256 }] };
    await writeFile(path.resolve('postern.mcpb'), archive);
    await writeFile(path.resolve('postern.server.json'), `${JSON.stringify(described, null, 2)}\n`);
  },
};

/** `npm run mcpb`: mcp-router with all that it needs in one file, so that a client installs nothing. */
export default defineConfig({
  input: 'src/bin/mcp-router.ts',
  platform: 'node',
  plugins: [thirdPartyLicences('THIRD-PARTY-LICENSES.txt'), bundle],
  output: {
    dir: 'node_modules/.cache/postern-mcpb',
    entryFileNames: '[name].mjs',
    format: 'esm',
    minify: true,
    codeSplitting: false,
  },
});
