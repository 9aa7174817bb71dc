import type { Logger } from 'pino';
import type { Environment } from '../../env.js';
import type { CallWatch } from '../../gateway/call-record.js';
import { serverVersion } from '../../gateway/version.js';
import type { Metrics } from './metrics.js';

export interface Telemetry {
  /** Null where none are wanted. */
  readonly metrics: Metrics | null;
  readonly watch: CallWatch;
  readonly close: () => Promise<void>;
}

/** Metrics and traces, as the environment asks. What it does not ask for is not even loaded. */
export async function openTelemetry(
  { METRICS_PORT: port, METRICS_HOST: host, OTEL_EXPORTER_OTLP_ENDPOINT }: Environment,
  logger: Logger,
): Promise<Telemetry> {
  const traced = OTEL_EXPORTER_OTLP_ENDPOINT === undefined ? null : await openTracing(logger);
  const tracing = traced === null ? {} : { traced };
  if (port === undefined) return { metrics: null, watch: tracing, close: async () => {} };
  const { createMetrics, serveMetrics } = await import('./metrics.js');
  const metrics = createMetrics();
  const served = await serveMetrics(metrics, { host, port });
  logger.info({ host, port: served.port }, 'metrics are served');
  return { metrics, watch: { ...tracing, onCall: metrics.onCall }, close: served.close };
}

async function openTracing(logger: Logger) {
  const { createTracing } = await import('./tracing.js');
  const traced = createTracing(serverVersion);
  if (traced === null)
    logger.warn('OTEL_EXPORTER_OTLP_ENDPOINT is set, but no OpenTelemetry SDK is loaded: nothing is traced');
  return traced;
}
