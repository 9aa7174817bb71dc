import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { folderWith } from '../reach/folder.js';
import { result, run, sarif } from '../service/scanners/sarif/sarif-report.js';
import { root } from '../support/build.js';
import { otherNode } from '../support/other-node.js';
import { folderWithDatabase, startPosternOn } from './running-postern.js';

/** The floor, and the newest of each line that is maintained. The others run the whole suite (CONTRIBUTING). */
const versions = ['20.19.0', '22.23.3', '24.21.0', '26.10.0'];

const firstRun = z.object({ admin: z.object({ email: z.string(), password: z.string() }) });

/** Runs a program on a Node to its end. */
async function ran(node: string, args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(node, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const [exitCode] = await once(child, 'close');
  return { exitCode, output };
}

const program = (name: string) => path.join(root, 'dist', `${name}.js`);

async function post<Answer>(url: string, credential: string | null, body: unknown, answer: z.ZodType<Answer>) {
  const authorization = credential === null ? {} : { authorization: `Bearer ${credential}` };
  const headers = { ...authorization, 'content-type': 'application/json', prefer: 'wait=60' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return answer.parse(await response.json());
}

/** A frontend's call by the built client. */
const clientProgram = (url: string, credential: string) => `
  import { createPosternClient } from ${JSON.stringify(pathToFileURL(program('client')).href)};
  const client = createPosternClient({ url: ${JSON.stringify(url)}, credential: ${JSON.stringify(credential)} });
  const { total } = await client.projects.list.query();
  const { created_at } = await client.organisation.get.query();
  console.log(total, created_at instanceof Date);`;

describe.each(versions)('on Node %s', (version) => {
  test('the server, its jobs, the client, mcp-router and reach work', async ({ skip }) => {
    const node = await otherNode(version).catch((error: unknown) => {
      // In CI the registry can be reached.
      if (process.env['CI']) throw error;
      return skip(`Node ${version} could not be installed from the npm registry.`);
    });
    const dataDir = await folderWithDatabase();
    const postern = startPosternOn(node, { DATA_DIR: dataDir, POSTERN_SAMPLE: 'false' });
    const url = await postern.ready();
    const { admin } = firstRun.parse(JSON.parse(await readFile(path.join(dataDir, 'first-run.json'), 'utf8')));
    const { token } = await post(`${url}/api/session`, null, admin, z.object({ token: z.string() }));
    const made = { name: 'any', scope: 'ReadWrite' };
    const { key } = await post(`${url}/api/org/api-keys`, token, made, z.object({ key: z.string() }));
    const project = { name: 'shop', exposure: 'internal' };
    const { id } = await post(`${url}/api/projects`, key, project, z.object({ id: z.string() }));

    // Large enough for a job in a process of its own.
    const report = { ...sarif(run([result(1), result(2)])), properties: { padding: 'x'.repeat(300 * 1024) } };
    const reports = `${url}/api/projects/${id}/sast/reports?source_repo=https://example.com/a`;
    const { findings } = await post(reports, key, report, z.object({ findings: z.object({ new: z.int() }) }));
    expect(findings).toEqual({ new: 2 });

    const asked = await ran(node, ['--input-type=module', '--eval', clientProgram(url, key)]);
    expect(asked).toEqual({ exitCode: 0, output: '1 true\n' });

    const agent = new Client({ name: 'test', version: '0' });
    const env = { SERVICE_API_URL: url, SERVICE_API_KEY: key };
    await agent.connect(new StdioClientTransport({ command: node, args: [program('mcp-router')], env }));
    const summary = await agent.callTool({ name: 'get_posture_summary', arguments: {} });
    await agent.close();
    expect(summary.isError).not.toBe(true);

    const folder = folderWith({
      'package.json': '{"main": "index.js"}',
      'index.js': "import { merge } from 'lodash';\nmerge({}, {});\n",
      'package-lock.json': JSON.stringify({
        lockfileVersion: 3,
        packages: { 'node_modules/lodash': { version: '4.17.11' } },
      }),
    });
    const service = { SERVICE_API_URL: url, SERVICE_API_KEY: key };
    const synced = await ran(node, [program('reach'), 'sync', folder, '--project', id], service);
    expect(synced, synced.output).toMatchObject({ exitCode: 0 });
    const analyzed = await ran(node, [program('reach'), 'analyze', folder, '--project', id], service);
    expect(analyzed, analyzed.output).toMatchObject({ exitCode: 0 });

    postern.kill('SIGTERM');
    expect(await postern.ended).toBe(0);
    expect(postern.stderr()).toBe('');
  });
});
