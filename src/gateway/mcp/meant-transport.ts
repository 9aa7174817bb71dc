import type { Transport } from '@modelcontextprotocol/server';
import { dropNullArguments, handshakeRefusal } from './meant-request.js';

/** A transport whose messages are read as over HTTP: what clients mean by null, and what is wrong with a handshake. */
export class MeantTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport['onmessage']>;
  readonly #inner: Transport;

  constructor(inner: Transport) {
    this.#inner = inner;
    inner.onclose = () => this.onclose?.();
    inner.onerror = (error) => this.onerror?.(error);
    inner.onmessage = (message, extra) => {
      const refusal = handshakeRefusal(message);
      dropNullArguments(message);
      if (refusal === null) this.onmessage?.(message, extra);
      else inner.send(refusal).catch((error) => this.onerror?.(error));
    };
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  send(...message: Parameters<Transport['send']>): Promise<void> {
    return this.#inner.send(...message);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}
