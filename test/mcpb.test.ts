import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { emptyFolder } from './bin/running-postern.js';
import { toolOrder } from './clients/tool-order.js';
import { root } from './support/build.js';
import { startUpstream } from './support/upstream.js';

/** What clients read of a bundle's manifest, version 0.2; an unknown field is refused. */
const bundleManifest = z.strictObject({
  manifest_version: z.literal('0.2'),
  name: z.literal('postern'),
  display_name: z.string(),
  version: z.literal(manifest.version),
  description: z.string(),
  author: z.strictObject({ name: z.string() }),
  license: z.literal(manifest.license),
  server: z.strictObject({
    type: z.literal('node'),
    entry_point: z.string(),
    mcp_config: z.strictObject({
      command: z.literal('node'),
      args: z.array(z.string()),
      env: z.record(z.enum(['SERVICE_API_URL', 'SERVICE_API_KEY']), z.string()),
    }),
  }),
  tools_generated: z.boolean(),
  user_config: z.record(
    z.string(),
    z.strictObject({
      type: z.literal('string'),
      title: z.string(),
      description: z.string(),
      default: z.string().optional(),
      sensitive: z.boolean().optional(),
      required: z.literal(true),
    }),
  ),
  compatibility: z.strictObject({
    platforms: z.array(z.enum(['darwin', 'win32', 'linux'])),
    runtimes: z.strictObject({ node: z.literal(manifest.engines.node) }),
  }),
});

const variable = z.strictObject({
  name: z.string(),
  description: z.string(),
  default: z.string().optional(),
  isRequired: z.boolean(),
  isSecret: z.boolean().optional(),
});
/** An entry of the MCP registry: the limits of its schema of 2025-09-29. */
const registryEntry = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-09-29/server.schema.json'),
  name: z
    .string()
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z.literal(manifest.version),
  packages: z.tuple([
    z.strictObject({
      registryType: z.literal('mcpb'),
      identifier: z.url().includes(`/v${manifest.version}/`),
      fileSha256: z.string().regex(/^[a-f0-9]{64}$/),
      transport: z.strictObject({ type: z.literal('stdio') }),
      environmentVariables: z.array(variable),
    }),
  ]),
});

async function filesOf(archive: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const zip = await fromBufferPromise(archive, { strictFileNames: true });
  for await (const entry of zip.eachEntry()) {
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  }
  return files;
}

test('the bundle for desktop clients runs without a package installed, with its registry entry and licences beside it', async () => {
  const folder = await emptyFolder();
  const needed = ['src', 'scripts', 'deploy', 'package.json', 'tsconfig.json', 'LICENSE'];
  for (const name of needed) await cp(path.join(root, name), path.join(folder, name), { recursive: true });
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  await promisify(execFile)('npm', ['run', 'mcpb'], { cwd: folder });

  const archive = await readFile(path.join(folder, 'postern.mcpb'));
  const entry = registryEntry.parse(JSON.parse(await readFile(path.join(folder, 'postern.server.json'), 'utf8')));
  expect(entry.packages[0].fileSha256).toBe(createHash('sha256').update(archive).digest('hex'));

  const files = await filesOf(archive);
  const { server, user_config } = bundleManifest.parse(JSON.parse(String(files.get('manifest.json'))));
  const names = ['LICENSE', 'manifest.json', 'server/THIRD-PARTY-LICENSES.txt', 'server/mcp-router.mjs'];
  expect([...files.keys()].sort()).toEqual(names);
  for (const name of ['zod', 'pino', 'undici', '@modelcontextprotocol/server']) {
    expect(String(files.get('server/THIRD-PARTY-LICENSES.txt'))).toMatch(new RegExp(`^${name} \\d+\\.\\d+`, 'm'));
  }

  // As a client does it: unpacks, fills in what its user has said, and starts it.
  const upstream = await startUpstream();
  try {
    const installed = await emptyFolder();
    for (const [name, content] of files) {
      await mkdir(path.dirname(path.join(installed, name)), { recursive: true });
      await writeFile(path.join(installed, name), content);
    }
    const values: Record<string, string> = { url: upstream.url, key: `postern_live_${'a'.repeat(64)}` };
    expect(Object.keys(user_config).sort()).toEqual(Object.keys(values).sort());
    const fill = (text: string) =>
      text
        .replace('${__dirname}', installed)
        .replace(/\$\{user_config\.(\w+)\}/g, (_all, name: string) => values[name] ?? '');
    const { args, env } = server.mcp_config;
    const filled = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)]));
    const started = promisify(execFile)(process.execPath, args.map(fill), { env: filled });
    const ask = (id: number, method: string, params: unknown) =>
      `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
    const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    started.child.stdin?.end(ask(1, 'initialize', hello) + ask(2, 'tools/list', {}));
    const { stdout } = await started;
    const answers = stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    const listed = z.object({ id: z.literal(2), result: z.object({ tools: z.array(z.object({ name: z.string() })) }) });
    expect(listed.parse(answers[1]).result.tools.map(({ name }) => name)).toEqual(toolOrder);
  } finally {
    await upstream.close();
  }
});
