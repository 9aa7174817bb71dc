import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';
import type { Response } from 'express';
import type { Caller } from '../caller.js';
import { listenEnd, readListen, subscriptionError } from './listen-request.js';
import type { Watches } from './watches.js';

type Report = (event: ServerEvent) => void;

/** Between what notices changes and the SDK's stream, which is there a little later. */
class Relay {
  #report: Report | undefined;
  readonly #early: string[] = [];

  change(uri: string): void {
    if (this.#report === undefined) this.#early.push(uri);
    else this.#report({ kind: 'resource_updated', uri });
  }

  begin(report: Report): void {
    this.#report = report;
    for (const uri of this.#early.splice(0)) this.change(uri);
  }
}

/** Streams of changes over HTTP. Each stream hears of what its own request asked for, and of nothing else. */
export class ListenStreams {
  readonly #watches: Watches;
  readonly #relays = new AsyncLocalStorage<Relay>();

  constructor(watches: Watches) {
    this.#watches = watches;
  }

  /** For the SDK, which listens here while it serves the request. */
  readonly bus: ServerEventBus = {
    publish: () => undefined,
    subscribe: (report) => {
      this.#relays.getStore()?.begin(report);
      return () => undefined;
    },
  };

  /** Serves a request, for as long as its stream is open. Answers itself one whose resources cannot be waited for. */
  async serve(body: unknown, caller: () => Caller, res: Response, serve: () => Promise<void>): Promise<void> {
    const listen = readListen(body);
    if (listen === null) return serve();
    const { id, uris } = listen;
    const relay = new Relay();
    const onEnd = () => {
      if (res.headersSent) res.end(`event: message\ndata: ${JSON.stringify(listenEnd(id))}\n\n`);
      else res.destroy();
    };
    try {
      const stop = await this.#watches.open(caller(), { uris, onChange: (uri) => relay.change(uri), onEnd });
      res.once('close', stop);
      if (res.destroyed) return stop();
    } catch (error) {
      res.json({ jsonrpc: '2.0', id, error: subscriptionError(error) });
      return;
    }
    await this.#relays.run(relay, serve);
  }
}
