/** A program: the MCP SDK 2.x without sessions. Each request gets a server, on which all tools are registered. */
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import express from 'express';
import { callTool, tools } from './tools.ts';
import { port } from './upstream.ts';

const handler = createMcpHandler(({ requestInfo }) => {
  const server = new McpServer({ name: 'peer', version: '1.0.0' });
  for (const { name, config } of tools)
    server.registerTool(name, config, (input) =>
      callTool(input, requestInfo?.headers.get('authorization') ?? undefined),
    );
  return server;
});
const serve = toNodeHandler(handler);
const app = express();
app.use(express.json());
app.post('/mcp', (req, res) => serve(req, res, req.body));
app.listen(port, '127.0.0.1');
