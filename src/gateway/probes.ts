import express, { type Router } from 'express';
import { startDeadline } from './deadline.js';
import type { Upstream } from './upstream.js';

/** Milliseconds: longer than a healthy service needs, shorter than an orchestrator waits. */
const readyLimitMs = 1_000;

/** Health endpoints. They need no credential and accept any Host: orchestrators call them by address. */
export function probes(upstream: Upstream): Router {
  const isReady = shared(() => isReachable(upstream));
  const router = express.Router();
  router.get('/mcp/health', (_req, res) => {
    res.type('text').send('ok');
  });
  router.get('/healthz', (_req, res) => {
    res.json({ status: 'alive' });
  });
  router.get('/readyz', async (_req, res) => {
    const ready = await isReady();
    res.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'the service cannot be reached' });
  });
  return router;
}

/** True if the service answers at all. Without a credential a healthy one answers 401. */
async function isReachable(upstream: Upstream): Promise<boolean> {
  const deadline = startDeadline(readyLimitMs, undefined);
  try {
    const { outcome } = await upstream.send({
      parts: { method: 'GET', path: '/api/session', query: [], body: null },
      credential: null,
      requestId: 'readyz',
      trace: null,
      deadline,
    });
    return outcome.kind === 'answered' && outcome.status < 500;
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
