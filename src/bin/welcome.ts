import type { FirstRun } from '../service/sample/first-run.js';

interface Welcome {
  /** The address at which people and agents reach this server. */
  readonly url: string;
  /** Whether it serves the dashboard. */
  readonly hasDashboard: boolean;
  /** The address of the service; null where it runs in this process. */
  readonly upstream: string | null;
  readonly first: FirstRun | null;
  readonly dataDir: string;
  /** The program that serves MCP over stdio, as an absolute path: a name could be a stranger's package. */
  readonly mcpRouter: string;
  /** Whether a person sees the text: what goes to a pipe or a file is kept by those who collect logs. */
  readonly isTerminal: boolean;
}

/** The text printed at start: where to connect, and how. Only the first run shows credentials, and only on a terminal. */
export function welcome({ url, hasDashboard, upstream, first, dataDir, mcpRouter, isTerminal }: Welcome): string {
  const key = (isTerminal ? first?.keys?.read_only : undefined) ?? '<API key>';
  return [
    '',
    `Postern is ready at ${url}`,
    ...(hasDashboard ? [`  Dashboard   ${url}`] : []),
    `  tRPC        ${url}/trpc`,
    `  MCP         ${url}/mcp`,
    upstream === null ? `  REST API    ${url}/api` : `  Service     ${upstream}`,
    `  Package     ${url}/download/postern.tgz`,
    ...credentials(first, `${dataDir}/first-run.json`, isTerminal),
    '',
    'MCP configuration for Claude, VS Code, Cursor and others:',
    configuration({ type: 'http', url: `${url}/mcp`, headers: { Authorization: `Bearer ${key}` } }),
    '',
    'For programs without HTTP, such as Claude Desktop on this machine:',
    configuration({
      command: process.execPath,
      args: [mcpRouter],
      env: { SERVICE_API_KEY: key, SERVICE_API_URL: upstream ?? url },
    }),
    '',
    '',
  ].join('\n');
}

const configuration = (postern: unknown) => JSON.stringify({ mcpServers: { postern } }, null, 2);

function credentials(first: FirstRun | null, path: string, isTerminal: boolean): string[] {
  if (first === null) return [];
  if (!isTerminal) return ['', `First run: the credentials are in ${path}, which only its owner can read`];
  const { admin, keys, project_id } = first;
  return [
    '',
    `First run: these credentials are shown once, and kept in ${path}`,
    `  admin       ${admin.email}  ${admin.password}`,
    ...(keys === undefined ? [] : [`  read only   ${keys.read_only}`, `  read/write  ${keys.read_write}`]),
    ...(project_id === undefined ? [] : [`  project     ${project_id} (sample data)`]),
  ];
}
