import { Pool } from 'undici';

const pool = new Pool(process.env['UPSTREAM_URL'] ?? '', { connections: 64 });

/** A project's alerts from the service, with the caller's credential; the text of the JSON. */
export async function fetchAlerts(projectId: string, authorization: string | undefined): Promise<string> {
  const { statusCode, body } = await pool.request({
    method: 'GET',
    path: `/api/projects/${encodeURIComponent(projectId)}/alerts`,
    headers: authorization === undefined ? {} : { authorization },
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`the service answered ${statusCode}`);
  return text;
}

export const port = Number(process.env['PORT']);
