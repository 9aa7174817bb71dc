import express, { type Router } from 'express';
import { startDeadline } from '../deadline.js';
import type { Upstream } from '../upstream/upstream.js';

/** Milliseconds: longer than a healthy service needs, shorter than an orchestrator waits. */
const readyLimitMs = 1_000;

interface ProbeOptions {
  readonly upstream: Upstream;
  /** The service of this process is not begun: what a first run makes is not there yet. */
  readonly isStarting: () => boolean;
  /** The server will stop soon: a balancer must send it nothing more. */
  readonly isDraining: () => boolean;
}

/** Health endpoints. They need no credential and accept any Host: orchestrators call them by address. */
export function probes({ upstream, isStarting, isDraining }: ProbeOptions): Router {
  const isReady = shared(() => isServing(upstream));
  const statusNow = async () => {
    if (isDraining()) return 'stopping';
    if (isStarting()) return 'starting';
    return (await isReady()) ? 'ready' : 'the service is not there';
  };
  const router = express.Router();
  router.get('/mcp/health', (_req, res) => {
    res.type('text').send('ok');
  });
  router.get('/healthz', (_req, res) => {
    res.json({ status: 'alive' });
  });
  router.get('/readyz', async (_req, res) => {
    const status = await statusNow();
    res.status(status === 'ready' ? 200 : 503).json({ status });
  });
  return router;
}

/**
 * True if the service can serve. Its health check needs its database. A service without one (404) is asked for a session:
 * without a credential a healthy one answers 401.
 */
async function isServing(upstream: Upstream): Promise<boolean> {
  const deadline = startDeadline(readyLimitMs, undefined);
  const statusOf = async (path: string) => {
    const parts = { method: 'GET', path, query: [], body: null };
    const { outcome } = await upstream.send({ parts, credential: null, requestId: 'readyz', trace: null, deadline });
    return outcome.kind === 'answered' ? outcome.status : 503;
  };
  try {
    const health = await statusOf('/api/healthz');
    return health === 404 ? (await statusOf('/api/session')) < 500 : health < 500;
  } finally {
    deadline.release();
  }
}

/** Answers concurrent calls with one result. Anyone may call a probe, and must not cause many requests to the service. */
function shared<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return () => {
    running ??= work().finally(() => {
      running = null;
    });
    return running;
  };
}
