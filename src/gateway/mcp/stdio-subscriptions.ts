import {
  isJSONRPCErrorResponse,
  type JSONRPCMessage,
  ProtocolError,
  type Server,
  SUBSCRIPTION_ID_META_KEY,
  type Transport,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Caller } from '../caller.js';
import { listenEnd, readListen, subscriptionError } from './listen-request.js';
import { maxWatched, SubscriptionRefused, type Watches } from './watches.js';

type Stop = () => void;

/** `resources/subscribe` of the 2025 revisions, which need a connection that lasts. */
export function handleSubscribe(server: Server, watches: Watches, caller: () => Caller): void {
  const stops = new Map<string, Stop>();
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
    if (stops.has(uri)) return {};
    try {
      if (stops.size >= maxWatched.ofOne)
        throw new SubscriptionRefused(`a connection subscribes to at most ${maxWatched.ofOne} resources`);
      const onChange = () => void server.sendResourceUpdated({ uri }).catch(() => undefined);
      const stop = await watches.open(caller(), { uris: [uri], onChange, onEnd: () => stops.delete(uri) });
      stops.get(uri)?.();
      stops.set(uri, stop);
    } catch (error) {
      const { code, message } = subscriptionError(error);
      throw new ProtocolError(code, message);
    }
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    stops.get(uri)?.();
    stops.delete(uri);
    return {};
  });
}

const cancelled = z.object({
  method: z.literal('notifications/cancelled'),
  params: z.object({ requestId: z.union([z.string(), z.number()]) }),
});

/**
 * A transport that reports changes to `subscriptions/listen` of 2026-07-28. The SDK acknowledges and ends
 * subscriptions, and keeps to itself which resources they name.
 */
export function listeningTransport(wire: Transport, watches: Watches, caller: () => Caller): Transport {
  const stops = new Map<string | number, Stop>();
  const stop = (id: string | number) => {
    stops.get(id)?.();
    stops.delete(id);
  };
  const outer: Transport = {
    async start() {
      wire.onmessage = (message) => void receive(message);
      wire.onclose = () => {
        for (const id of stops.keys()) stop(id);
        outer.onclose?.();
      };
      wire.onerror = (error) => outer.onerror?.(error);
      await wire.start();
    },
    async send(message, options) {
      // The SDK has refused it: it has too many, or the request is wrong.
      if (isJSONRPCErrorResponse(message) && message.id !== undefined && message.id !== null) stop(message.id);
      await wire.send(message, options);
    },
    close: () => wire.close(),
  };
  const send = (message: JSONRPCMessage) => void wire.send(message).catch((error) => outer.onerror?.(error));

  async function receive(message: JSONRPCMessage): Promise<void> {
    const { data: left } = cancelled.safeParse(message);
    if (left !== undefined) stop(left.params.requestId);
    const listen = readListen(message);
    if (listen === null || stops.has(listen.id)) return outer.onmessage?.(message);
    const { id, uris } = listen;
    // Cancelled before it began, it is not there any more.
    stops.set(id, () => undefined);
    const onEnd = () => {
      stops.delete(id);
      outer.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
      send(listenEnd(id));
    };
    const onChange = (uri: string) => {
      const params = { uri, _meta: { [SUBSCRIPTION_ID_META_KEY]: id } };
      send({ jsonrpc: '2.0', method: 'notifications/resources/updated', params });
    };
    try {
      const opened = await watches.open(caller(), { uris, onChange, onEnd });
      if (!stops.has(id)) return opened();
      stops.set(id, opened);
      outer.onmessage?.(message);
    } catch (error) {
      stops.delete(id);
      send({ jsonrpc: '2.0', id, error: subscriptionError(error) });
    }
  }
  return outer;
}
