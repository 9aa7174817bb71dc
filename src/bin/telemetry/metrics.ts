import { createServer } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { CallRecord } from '../../gateway/call-record.js';
import type { Upstream } from '../../gateway/upstream/upstream.js';
import type { RequestRecord } from '../../service/api/as-caller.js';
import type { Database } from '../../service/db/database.js';

/** Seconds. The last ones are the gateway's own time limit and that of large uploads. */
const buckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60];

/** Prometheus metrics of a process. No label carries a credential, an organisation or content. */
export interface Metrics {
  readonly registry: Registry;
  readonly onCall: (record: CallRecord) => void;
  readonly onRequest: (record: RequestRecord) => void;
  readonly onAttempt: (outcome: string) => void;
  readonly watchUpstream: (upstream: Upstream) => void;
  readonly watchService: (service: WatchedService) => void;
  /** A gauge that is read when metrics are asked for: its values by label, or one value. */
  readonly gauge: (name: string, help: string, read: () => number) => void;
}

interface WatchedService {
  readonly database: Pick<Database, 'load'>;
  readonly uploads: { readonly underWay: number };
  readonly failingJobs: () => number;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, prefix: 'postern_' });
  const calls = new Histogram({
    name: 'postern_call_duration_seconds',
    help: 'Calls of the gateway by door, procedure and outcome',
    labelNames: ['door', 'procedure', 'outcome'],
    buckets,
    registers,
  });
  const upstream = new Histogram({
    name: 'postern_upstream_duration_seconds',
    help: 'Time that calls of the gateway waited for the service',
    labelNames: ['door', 'procedure'],
    buckets,
    registers,
  });
  const tries = new Counter({
    name: 'postern_upstream_requests_total',
    help: 'Requests to the service, retries included',
    registers,
  });
  const faults = new Counter({
    name: 'postern_upstream_faults_total',
    help: 'Requests that the service did not serve, by kind and status',
    labelNames: ['kind', 'status'],
    registers,
  });
  const requests = new Histogram({
    name: 'postern_request_duration_seconds',
    help: 'Requests to the REST API by procedure and status; `left` where the client has gone',
    labelNames: ['procedure', 'status'],
    buckets,
    registers,
  });
  const attempts = new Counter({
    name: 'postern_webhook_attempts_total',
    help: 'Attempts to deliver to webhooks and by mail, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  const gauge: Metrics['gauge'] = (name, help, read) => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  };
  return {
    registry,
    onCall({ face: door, path: procedure, status: outcome, durationMs, upstreamMs, tries: made, faults: met }) {
      calls.observe({ door, procedure, outcome }, durationMs / 1_000);
      if (made > 0) upstream.observe({ door, procedure }, upstreamMs / 1_000);
      tries.inc(made);
      for (const { kind, status } of met) faults.inc({ kind, status: status ?? '' });
    },
    onRequest({ procedure, status, durationMs }) {
      requests.observe({ procedure, status: status ?? 'left' }, durationMs / 1_000);
    },
    onAttempt(outcome) {
      attempts.inc({ outcome });
    },
    watchService({ database, uploads, failingJobs }) {
      gauge('postern_database_running', 'Transactions that run', () => database.load().running);
      gauge('postern_database_waiting', 'Transactions that wait for their turn', () => database.load().waiting);
      gauge('postern_uploads', 'Large uploads that are read or wait', () => uploads.underWay);
      gauge('postern_jobs_failing', 'Background jobs of this process whose last run has failed', failingJobs);
    },
    watchUpstream({ stats }) {
      gauge('postern_upstream_connections', 'Open connections to the service', () => stats().connected);
      gauge('postern_upstream_running', 'Requests that the service is answering', () => stats().running);
      gauge('postern_upstream_queued', 'Requests that wait for a connection to the service', () => stats().queued);
      gauge('postern_upstream_circuit_open', '1 while the service is not asked, because it is away', () =>
        stats().circuitOpen ? 1 : 0,
      );
    },
    gauge,
  };
}

/** Serves `GET /metrics` on a port of its own, without a credential: it is for the operator's network alone. */
export async function serveMetrics(
  { registry }: Metrics,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  const server = createServer(async (req, res) => {
    if (req.method !== 'GET' || req.url !== '/metrics') {
      res.writeHead(404, { 'content-type': 'text/plain' }).end('GET /metrics\n');
      return;
    }
    const text = await registry.metrics();
    res.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' }).end(text);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
