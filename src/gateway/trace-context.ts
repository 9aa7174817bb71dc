/** W3C Trace Context, as it travels in headers and in MCP's `_meta`. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate: string | undefined;
}

/** A trace context from outside: null unless the parent is well formed; an ill-formed state alone is dropped (W3C Trace Context, 4.3). */
export function readTraceContext(traceparent: unknown, tracestate: unknown): TraceContext | null {
  if (typeof traceparent !== 'string' || !/^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/.test(traceparent))
    return null;
  const sane = typeof tracestate === 'string' && /^[\x20-\x7e]{1,512}$/.test(tracestate);
  return { traceparent, tracestate: sane ? tracestate : undefined };
}
