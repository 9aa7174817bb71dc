import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Execute } from '../execute.js';
import type { Toolsets } from './toolsets.js';

/** A way through MCP over HTTP. It answers a request whose body is parsed, or leaves it to the next. */
interface McpWay {
  readonly handler: RequestHandler;
  /** Ends what would last for as long as the client likes. */
  readonly drain?: () => void;
  /** Ends the exchanges that still run. */
  readonly close: () => Promise<void>;
}

interface McpWayOptions {
  readonly execute: Execute;
  readonly toolsets: Toolsets;
  readonly logger: Logger;
  /** Milliseconds between two looks at what a caller waits for; the usual ones if absent. */
  readonly watchEveryMs?: number | undefined;
}

export type CreateMcpWay = (options: McpWayOptions) => McpWay;
