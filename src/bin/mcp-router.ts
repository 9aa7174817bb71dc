#!/usr/bin/env node
import { randomUUID } from 'node:crypto';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { Command } from 'commander';
import * as z from 'zod';
import { environment, logLevel, optional } from '../env.js';
import { CallLimits } from '../gateway/call-limits.js';
import { toCredential } from '../gateway/caller.js';
import { createExecute } from '../gateway/execute.js';
import { createObserve } from '../gateway/http/observe.js';
import { createLogger } from '../gateway/logger.js';
import { MeantTransport } from '../gateway/mcp/meant-transport.js';
import { createMcpServerFactory } from '../gateway/mcp/server.js';
import { handleSubscribe, listeningTransport } from '../gateway/mcp/stdio-subscriptions.js';
import { createToolsets, readToolsetNames, UnknownToolset } from '../gateway/mcp/toolsets.js';
import { Watches } from '../gateway/mcp/watches.js';
import { serviceAddress } from '../gateway/upstream/service-address.js';
import { createUpstream } from '../gateway/upstream/upstream.js';
import { serverVersion } from '../gateway/version.js';

const toolsets = createToolsets();

const toolsetNames = z.string().transform((list, ctx) => {
  try {
    const names = readToolsetNames(list);
    toolsets.choose(names);
    return names;
  } catch (error) {
    if (!(error instanceof UnknownToolset)) throw error;
    ctx.addIssue({ code: 'custom', message: `is not known: ${error.message}` });
    return z.NEVER;
  }
});

/** The server's variables, but it talks to a service on this machine by default, and logs less. */
const settings = environment.pick({ SERVICE_API_KEY: true }).extend({
  SERVICE_API_URL: optional(z.string()).default('http://127.0.0.1:3000').pipe(serviceAddress),
  POSTERN_TOOLSETS: optional(toolsetNames).default([]),
  LOG_LEVEL: optional(logLevel.exclude(['trace'])).default('warn'),
});

function serve(options: { readonly toolsets?: string }): void {
  const { toolsets: given = process.env['POSTERN_TOOLSETS'] } = options;
  const parsed = settings.safeParse({ ...process.env, POSTERN_TOOLSETS: given });
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues)
      process.stderr.write(`mcp-router: ${path.join('.')} ${message}\n`);
    process.exitCode = 1;
    return;
  }
  const { SERVICE_API_KEY: key, SERVICE_API_URL: address, LOG_LEVEL: level, POSTERN_TOOLSETS: chosen } = parsed.data;
  const credential = key === undefined ? null : toCredential(key);
  if (credential === null) {
    const cause =
      key === undefined ? 'is not set' : 'is not a key: it has blanks, other than ASCII characters or more than 4096';
    process.stderr.write(
      `mcp-router: SERVICE_API_KEY ${cause}, so every tool call will answer "authentication failed"\n`,
    );
  }

  const logger = createLogger(level, 2);
  const upstream = createUpstream({ address, connections: 16 });
  const observe = createObserve({ logger });
  const execute = createExecute({ upstream, observe, limits: new CallLimits(), limitMs: 10_000 });
  const createServer = createMcpServerFactory(execute, toolsets);
  const watches = new Watches(execute);
  const caller = () => ({
    credential,
    requestId: randomUUID(),
    trace: null,
    address: null,
    userAgent: null,
    organisation: undefined,
  });
  const connection = serveStdio(
    ({ era }) => {
      const server = createServer({
        catalogue: toolsets.choose(chosen),
        // Asking the service first would delay the handshake of clients that send all they have at once, and then leave.
        holder: credential === null ? null : 'unknown',
        subscribes: true,
        caller,
      });
      if (era === 'legacy') handleSubscribe(server, watches, caller);
      return server;
    },
    {
      transport: listeningTransport(new MeantTransport(new StdioServerTransport()), watches, caller),
      onerror: (error) => logger.debug({ kind: error.name }, 'mcp message refused'),
      maxSubscriptions: 16,
    },
  );

  const stop = async () => {
    watches.close();
    await connection.close();
    await upstream.close();
  };
  process.stdin.once('end', stop);
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

new Command('mcp-router')
  .description('Serves the vulnerability service’s tools to an MCP client over stdin and stdout.')
  .version(serverVersion)
  .option('--toolsets <names>', `tools to offer, by commas, instead of the usual ones: ${toolsets.names.join(', ')}`)
  .allowExcessArguments(false)
  .addHelpText(
    'after',
    `
Environment:
  SERVICE_API_KEY  API key of the organisation; read once at startup
  SERVICE_API_URL  base address of the REST API (default: http://127.0.0.1:3000)
  POSTERN_TOOLSETS the same as --toolsets, which wins
  LOG_LEVEL        fatal, error, warn, info, debug or silent, to stderr (default: warn)`,
  )
  .action(serve)
  .parse();
