/** A program: fastmcp without sessions, one tool, text only. */
import { FastMCP } from 'fastmcp';
import * as z from 'zod';
import { fetchAlerts, port } from './upstream.ts';

const server = new FastMCP<{ authorization: string | undefined }>({
  name: 'peer',
  version: '1.0.0',
  authenticate: async (request) => ({ authorization: request?.headers.authorization }),
});
server.addTool({
  name: 'list_alerts',
  description: 'A project’s alerts.',
  parameters: z.object({ project_id: z.string() }),
  execute: ({ project_id }, { session }) => fetchAlerts(project_id, session?.authorization),
});
await server.start({ transportType: 'httpStream', httpStream: { port, host: '127.0.0.1', stateless: true } });
