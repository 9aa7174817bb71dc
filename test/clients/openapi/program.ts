import createClient from 'openapi-fetch';
import type { components, paths } from './schema.js';

type Alert = components['schemas']['AlertsListAnswer']['items'][number];

/** What somebody writes who has the document alone: ten routes, each answer used by its type. */
export async function run(baseUrl: string, key: string): Promise<Record<string, unknown>> {
  const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } });

  const health = await client.GET('/api/healthz');
  const session = await client.GET('/api/session');
  const caller = session.data?.caller;

  const created = await client.POST('/api/projects', {
    params: { header: { 'Idempotency-Key': 'round-trip' } },
    body: { name: 'round trip', exposure: 'internet' },
  });
  const project_id = created.data?.id ?? '';
  const renamed = await client.PATCH('/api/projects/{project_id}', {
    params: { path: { project_id }, header: { 'If-Match': created.response.headers.get('etag') ?? '' } },
    body: { description: 'made by a generated client' },
  });
  const synced = await client.POST('/api/projects/{project_id}/tech-stack/sync', {
    params: { path: { project_id } },
    body: { source: 'package-lock.json', packages: [{ purl: 'pkg:npm/lodash@4.17.20' }] },
  });
  const stack = await client.GET('/api/projects/{project_id}/tech-stack', {
    params: { path: { project_id }, query: { page_size: 1, direct: false, ecosystem: 'npm' } },
  });
  const uploaded = await client.POST('/api/projects/{project_id}/sast/reports', {
    params: { path: { project_id }, query: { source_repo: 'https://example.com/shop' } },
    body: { version: '2.1.0', runs: [{ tool: { driver: { name: 'x' } }, results: [] }] },
  });
  const alerts = await client.GET('/api/alerts', { params: { query: { tier: 'RED' } } });
  const worst: Alert | undefined = alerts.data?.items[0];
  const missing = await client.GET('/api/projects/{project_id}', { params: { path: { project_id: 'no_such_id' } } });
  const deleted = await client.DELETE('/api/projects/{project_id}', { params: { path: { project_id } } });

  // @ts-expect-error a filter that is none is an error of types
  await client.GET('/api/alerts', { params: { query: { tier: 'BLUE' } } });

  return {
    health: health.data?.status,
    caller: caller?.kind === 'api_key' ? caller.scope : caller?.member.email,
    created: created.data?.exposure,
    renamed: [renamed.data?.revision, renamed.data?.description],
    // A large one is answered by its job (202).
    synced: synced.data && 'added' in synced.data ? synced.data.added : synced.data?.state,
    stack: [stack.data?.total, stack.data?.page_size],
    uploaded: uploaded.response.status,
    alerts: [alerts.data?.total, worst?.cve],
    missing: [missing.error?.code, missing.error?.resource],
    deleted: deleted.data?.deleted,
  };
}
