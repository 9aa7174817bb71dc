import { context, propagation, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { afterAll, describe, expect, test } from 'vitest';
import { createTracing } from '../../../src/bin/telemetry/tracing.js';
import { callTool, startGateway } from '../../support/gateway.js';
import { answerJson, answerSample, startUpstream } from '../../support/upstream.js';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const headers = { authorization: 'Bearer k', traceparent: `00-${traceId}-b7ad6b7169203331-01`, tracestate: 'a=1' };

test('without an SDK there is nothing to trace with', () => {
  expect(createTracing('1')).toBeNull();
});

describe('with an SDK', () => {
  const exporter = new InMemorySpanExporter();
  let provider: NodeTracerProvider | undefined;
  const register = () => {
    provider ??= new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    provider.register();
    const traced = createTracing('1');
    if (traced === null) throw new Error('the SDK is not seen');
    exporter.reset();
    return traced;
  };
  afterAll(async () => {
    await provider?.shutdown();
    trace.disable();
    context.disable();
    propagation.disable();
  });

  test('a call is a span below the caller’s, and the service is called with it', async () => {
    const upstream = await startUpstream();
    const gateway = await startGateway({ serviceUrl: upstream.url, traced: register() });
    await callTool(gateway, 'get_project', { project_id: 'p' }, { headers });
    const [span] = exporter.getFinishedSpans();
    expect(span?.name).toBe('projects.get');
    expect(span?.attributes).toEqual({ 'rpc.system': 'mcp', 'rpc.method': 'projects.get' });
    expect(span?.spanContext().traceId).toBe(traceId);
    expect(span?.parentSpanContext?.spanId).toBe('b7ad6b7169203331');
    expect(upstream.seen[0]?.headers).toMatchObject({
      traceparent: `00-${traceId}-${span?.spanContext().spanId}-01`,
      tracestate: 'a=1',
    });
    await gateway.close();
    await upstream.close();
  });

  test('a failed call says how it failed, and nothing of its content', async () => {
    const upstream = await startUpstream((res, seen) =>
      seen.url.includes('gone') ? answerJson(res, 404, { detail: 'SECRET' }) : answerSample(res, seen),
    );
    const gateway = await startGateway({ serviceUrl: upstream.url, traced: register() });
    await callTool(gateway, 'get_project', { project_id: 'gone' }, { headers });
    const [span] = exporter.getFinishedSpans();
    expect(span?.attributes).toMatchObject({ 'error.type': 'not_found' });
    expect(span?.status).toEqual({ code: 2 });
    expect(JSON.stringify([span?.attributes, span?.events])).not.toMatch(/SECRET|gone|Bearer/);
    await gateway.close();
    await upstream.close();
  });
});
