import { once } from 'node:events';
import { type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { createSdkWay } from '../../../src/gateway/mcp/sdk-way.js';
import { createShortWay } from '../../../src/gateway/mcp/short-way.js';
import type { CreateMcpWay } from '../../../src/gateway/mcp/way.js';
import { type StartedGateway, startGateway } from '../../support/gateway.js';
import { type Answer, type FakeUpstream, type Seen, startUpstream } from '../../support/upstream.js';

/** A request to /mcp. A body that is no text is sent as JSON; a header without a value is not sent. */
export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
}

export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** What came of a request, but for how the message is framed. */
interface Outcome {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Byte for byte, without the frame of an event. */
  readonly messages: readonly string[];
  /** What the service was asked. */
  readonly asked: readonly Seen[];
}

interface Compared {
  readonly withShortWay: Outcome;
  readonly sdkAlone: Outcome;
  /** Whether the gateway with both ways took the short one. */
  readonly wasShort: boolean;
}

/** A gateway with both ways, and one whose every request goes through the SDK, before the same service. */
export interface BothWays {
  readonly gateways: readonly [withShortWay: StartedGateway, sdkAlone: StartedGateway];
  readonly upstream: FakeUpstream;
  readonly compare: (sent: Sent) => Promise<Compared>;
  readonly close: () => Promise<void>;
}

export async function startBothWays(answer: Answer, limitMs = 10_000): Promise<BothWays> {
  const upstream = await startUpstream(answer);
  let throughSdk = 0;
  const createCountedWay: CreateMcpWay = (options) => {
    const way = createSdkWay(options);
    return {
      ...way,
      handler: (req, res, next) => {
        throughSdk += 1;
        return way.handler(req, res, next);
      },
    };
  };
  const options = { serviceUrl: upstream.url, limitMs };
  const withShortWay = await startGateway({ ...options, mcpWays: [createShortWay, createCountedWay] });
  const sdkAlone = await startGateway({ ...options, mcpWays: [createSdkWay] });

  async function outcomeOf(gateway: StartedGateway, sent: Sent): Promise<Outcome> {
    upstream.seen.length = 0;
    const { status, headers, text: body } = await post(gateway, sent);
    return { status, headers: unframed(headers), messages: messagesOf(headers, body), asked: [...upstream.seen] };
  }
  return {
    gateways: [withShortWay, sdkAlone],
    upstream,
    compare: async (sent) => {
      const before = throughSdk;
      const first = await outcomeOf(withShortWay, sent);
      return {
        withShortWay: first,
        sdkAlone: await outcomeOf(sdkAlone, sent),
        wasShort: throughSdk === before && first.status === 200,
      };
    },
    close: async () => {
      await withShortWay.close();
      await sdkAlone.close();
      await upstream.close();
    },
  };
}

const requestId = 'request-1';

/** Sends a request on a connection of its own, as it is written. */
export async function post(
  { url }: Pick<StartedGateway, 'url'>,
  { method = 'POST', headers = {}, body }: Sent,
): Promise<Received> {
  const all = { 'x-request-id': requestId, 'content-type': 'application/json', ...headers };
  const sent = Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const req = request(`${url}/mcp`, { method, headers: sent, agent: false });
  req.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  const [res] = await once(req, 'response');
  return { status: res.statusCode, headers: res.headers, text: await text(res) };
}

const framing = new Set([
  'cache-control',
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'x-accel-buffering',
]);

function unframed(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !framing.has(name))
      // What is left of a window depends on the moment.
      .map(([name, value]) => [name, name === 'ratelimit' ? String(value).replace(/\d+/g, 'n') : value]),
  );
}

function messagesOf(headers: IncomingHttpHeaders, body: string): string[] {
  if (headers['content-type'] !== 'text/event-stream') return [body];
  const frame = 'event: message\ndata: ';
  return body.split('\n\n').flatMap((event) => (event.startsWith(frame) ? [event.slice(frame.length)] : []));
}
