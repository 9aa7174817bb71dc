import { ProtocolErrorCode, SERVER_INFO_META_KEY, SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { GatewayError } from '../errors.js';
import { askersFault } from './resources.js';
import { serverInfo } from './server.js';
import { SubscriptionRefused } from './watches.js';

const listenRequest = z.object({
  id: z.union([z.string(), z.int()]),
  method: z.literal('subscriptions/listen'),
  params: z.object({ notifications: z.object({ resourceSubscriptions: z.array(z.string()).min(1) }) }),
});

/** A request of 2026-07-28 to report changes of resources. */
interface ListenRequest {
  readonly id: string | number;
  readonly uris: readonly string[];
}

/** Null for everything else, which the SDK answers. */
export function readListen(message: unknown): ListenRequest | null {
  const { data } = listenRequest.safeParse(message);
  return data === undefined ? null : { id: data.id, uris: data.params.notifications.resourceSubscriptions };
}

/** By which the server ends a subscription. */
export function listenEnd(id: string | number) {
  const _meta = { [SUBSCRIPTION_ID_META_KEY]: id, [SERVER_INFO_META_KEY]: serverInfo };
  return { jsonrpc: '2.0' as const, id, result: { resultType: 'complete' as const, _meta } };
}

/** Why a subscription does not begin. Throws what is no such reason. */
export function subscriptionError(error: unknown): { readonly code: ProtocolErrorCode; readonly message: string } {
  if (error instanceof SubscriptionRefused) return { code: ProtocolErrorCode.InvalidParams, message: error.message };
  if (!(error instanceof GatewayError)) throw error;
  const isAskers = askersFault.has(error.code);
  return { code: isAskers ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError, message: error.message };
}
