import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { freePort } from '../../support/free-port.js';
import { callTool } from '../../support/gateway.js';
import { folderWithDatabase, startPosternProgram } from '../running-postern.js';

test('calls, requests, the upstream and the process are measured, on a port of its own', async () => {
  const [dataDir, port] = [await folderWithDatabase(), await freePort()];
  const postern = startPosternProgram({ DATA_DIR: dataDir, METRICS_PORT: String(port) });
  const url = await postern.ready();
  const { keys } = z
    .object({ keys: z.object({ read_only: z.string() }) })
    .parse(JSON.parse(readFileSync(join(dataDir, 'first-run.json'), 'utf8')));
  const headers = { authorization: `Bearer ${keys.read_only}` };
  await callTool({ url }, 'list_projects', {}, { headers });
  await callTool({ url }, 'get_project', { project_id: 'none-such' }, { headers });
  await fetch(`${url}/trpc/organisation.get`, { headers });
  // A document goes over HTTP; reads like the others are asked in process.
  await callTool({ url }, 'export_sbom', { project_id: 'none-such' }, { headers });

  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(answer.headers.get('content-type')).toContain('text/plain');
  const text = await answer.text();
  const sampleOf = (line: string) =>
    Number(
      text
        .split('\n')
        .find((each) => each.startsWith(`${line} `))
        ?.split(' ')[1],
    );
  const count = 'postern_call_duration_seconds_count';
  expect(sampleOf(`${count}{door="mcp",procedure="projects.list",outcome="ok"}`)).toBe(1);
  expect(sampleOf(`${count}{door="mcp",procedure="projects.get",outcome="not_found"}`)).toBe(1);
  expect(sampleOf(`${count}{door="trpc",procedure="organisation.get",outcome="ok"}`)).toBe(1);
  expect(sampleOf('postern_request_duration_seconds_count{procedure="projects.get",status="404"}')).toBe(1);
  expect(sampleOf('postern_upstream_requests_total')).toBe(4);
  expect(sampleOf('postern_upstream_circuit_open')).toBe(0);
  expect(sampleOf('postern_database_waiting')).toBe(0);
  expect(sampleOf('postern_uploads')).toBe(0);
  expect(sampleOf('postern_jobs_failing')).toBe(0);
  expect(sampleOf('postern_upstream_connections')).toBeGreaterThan(0);
  expect(sampleOf('postern_nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
  expect(text).not.toContain(keys.read_only);
  expect(text).not.toContain('none-such');

  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
  expect((await fetch(`${url}/metrics`)).status).toBe(404);
});
