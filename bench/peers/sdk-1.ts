/** A program: the MCP SDK 1.x without sessions. Each request gets a server, on which all tools are registered. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import express from 'express';
import { callTool, tools } from './tools.ts';
import { port } from './upstream.ts';

function createServer(): McpServer {
  const server = new McpServer({ name: 'peer', version: '1.0.0' });
  for (const { name, config } of tools)
    server.registerTool(name, config, (input, { requestInfo }) =>
      callTool(input, textOf(requestInfo?.headers['authorization'])),
    );
  return server;
}

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}

const app = express();
app.use(express.json());
app.post('/mcp', async (req, res) => {
  const server = createServer();
  const transport = new StreamableHTTPServerTransport({});
  res.on('close', () => {
    void transport.close();
    void server.close();
  });
  await server.connect(transport);
  await transport.handleRequest(req, res, req.body);
});
app.listen(port, '127.0.0.1');
