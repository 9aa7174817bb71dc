import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { CallWatch } from '../../gateway/call-record.js';
import { readTraceContext, type TraceContext } from '../../gateway/caller.js';
import { GatewayError } from '../../gateway/errors.js';

/**
 * Spans of calls by the OpenTelemetry API alone. The SDK is the operator's: loaded by `--import` before this program, it takes
 * its settings from OTEL_*. Null where none is loaded: then nothing is traced, and trace contexts pass through as they are.
 */
export function createTracing(version: string): Required<CallWatch>['traced'] | null {
  const tracer = trace.getTracer('postern', version);
  const probe = tracer.startSpan('start');
  probe.end();
  if (!trace.isSpanContextValid(probe.spanContext())) return null;
  return (call, work) =>
    tracer.startActiveSpan(
      call.path,
      { kind: SpanKind.SERVER, attributes: { 'rpc.system': call.face, 'rpc.method': call.path } },
      contextOf(call.parent),
      async (span) => {
        try {
          return await work(currentTrace() ?? call.parent);
        } catch (error) {
          const code = error instanceof GatewayError ? error.code : 'other';
          span.setAttribute('error.type', code).setStatus({ code: SpanStatusCode.ERROR });
          throw error;
        } finally {
          span.end();
        }
      },
    );
}

/** The caller's span is the parent, unless the HTTP instrumentation of the SDK has made one from it already. */
function contextOf(parent: TraceContext | null) {
  const current = context.active();
  if (parent === null || trace.getSpan(current) !== undefined) return current;
  const { traceparent, tracestate } = parent;
  return propagation.extract(current, { traceparent, ...(tracestate !== undefined && { tracestate }) });
}

/** The current span, as requests carry it. */
function currentTrace(): TraceContext | null {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return readTraceContext(carrier['traceparent'], carrier['tracestate']);
}
