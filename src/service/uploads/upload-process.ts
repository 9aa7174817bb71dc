import { type ChildProcess, fork } from 'node:child_process';
import type { DatabaseLine, SharedDatabase } from '../db/database.js';
import { type OfUser, toUser } from '../db/embedded/worker-messages.js';
import { ChildTurns } from './child-turns.js';
import {
  fromUploadProcess,
  type ToUploadProcess,
  type UploadReport,
  type UploadStep,
  type UploadTask,
} from './messages.js';

/** As of the database's worker: it is built beside this module, and tests take it from dist/. */
const builtWorker = import.meta.url.endsWith('.ts')
  ? new URL('../../../dist/upload-worker.js', import.meta.url)
  : new URL('./upload-worker.js', import.meta.url);

/** How an upload ended. `exhausted`: its process had no memory left. `killed`: somebody has ended it, or the system has. */
export type UploadEnd =
  | Exclude<UploadReport, { readonly kind: 'progress' }>
  | { readonly kind: 'exhausted' }
  | { readonly kind: 'crashed' | 'killed'; readonly error: unknown };

/** How V8 ends a process whose heap is full, or that asks for a piece of memory that is too large. */
const exhaustedBy: ReadonlySet<string | null> = new Set(['SIGABRT', 'SIGTRAP', 'SIGILL']);

/** The same where a shell is between. */
const abortedCode = 134;

/**
 * A process that does one upload after the other. It reaches the embedded database by messages through this one, and has a
 * pool of its own to a server.
 */
export class UploadProcess {
  readonly #child: ChildProcess;
  readonly #line: DatabaseLine | null;
  readonly #turns: ChildTurns | null;
  readonly #gone: Promise<void>;
  /** Set when the process has ended: nothing is done by it any more. */
  #ended: UploadEnd | null = null;
  #settle: ((end: UploadEnd) => void) | null = null;
  #onStep: (step: UploadStep) => void = () => {};
  /** What the process has said of an error that ended it. */
  #failure: unknown = null;

  /** @param memoryMb megabytes of the heap, beyond which the process ends */
  constructor(shared: SharedDatabase, memoryMb: number) {
    this.#line = shared.kind === 'embedded' ? shared.line : null;
    this.#turns =
      shared.kind === 'embedded'
        ? new ChildTurns(shared.turns, (message) => this.#send({ kind: 'turns', message }))
        : null;
    this.#child = fork(builtWorker, [], {
      execArgv: [`--max-old-space-size=${memoryMb}`],
      serialization: 'advanced',
      // Standard output may be the transport of MCP.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#gone = new Promise((resolve) => {
      const end = (result: UploadEnd) => {
        this.#ended ??= result;
        this.#line?.close();
        this.#turns?.end();
        this.#settle?.(this.#ended);
        resolve();
      };
      this.#child.once('exit', (code, signal) => end(this.#endBy(code, signal)));
      this.#child.on('error', (error) => {
        // Where it could not be started there is no exit. Else it is about a message, and the process is of no use.
        if (this.#child.pid === undefined) end({ kind: 'crashed', error });
        else this.#kill(error);
      });
    });
    this.#child.on('message', (message: unknown) => this.#receive(message));
    this.#child.once('disconnect', () => this.#kill(null));
    this.#line?.on('message', (message) => this.#send({ kind: 'database', message: toUser.parse(message) }));
    this.#line?.on('close', () => this.#kill(new Error('the embedded database has stopped')));
    this.#line?.unref();
    this.#child.unref();
    this.#child.channel?.unref();
    this.#send({
      kind: 'open',
      database: shared.kind === 'embedded' ? { kind: 'embedded' } : shared,
    });
  }

  get hasEnded(): boolean {
    return this.#ended !== null;
  }

  /** Does one upload; never while another is under way. Always ends: at the latest with its process. */
  run(task: UploadTask, onStep: (step: UploadStep) => void): Promise<UploadEnd> {
    if (this.#ended !== null) return Promise.resolve(this.#ended);
    return new Promise((resolve) => {
      this.#onStep = onStep;
      this.#settle = (end) => {
        this.#settle = null;
        this.#onStep = () => {};
        resolve(end);
      };
      this.#send({ kind: 'upload', task });
    });
  }

  async end(): Promise<void> {
    // Without it this process would end here, and not close what comes after: nothing else may be left that keeps it.
    this.#child.ref();
    this.#kill(null);
    await this.#gone;
  }

  #receive(message: unknown): void {
    const { data: received, error } = fromUploadProcess.safeParse(message);
    if (received === undefined) this.#kill(error);
    else if (received.kind === 'database') this.#toDatabase(received.message);
    else if (received.kind === 'turns') this.#turns?.receive(received.message);
    else if (received.kind === 'crashed') this.#failure = Object.assign(new Error(), { cause: received.failure });
    else if (received.kind === 'progress')
      this.#onStep({ phase: received.phase, done: received.done, of: received.of });
    else this.#settle?.(received);
  }

  /** The bytes are copied: as received they lie in a larger buffer, all of which would be sent. */
  #toDatabase(message: OfUser): void {
    if (message.kind !== 'bytes') this.#line?.postMessage(message);
    else {
      const bytes = new Uint8Array(message.bytes);
      this.#line?.postMessage({ ...message, bytes }, [bytes.buffer]);
    }
  }

  /** An error of it shows by its end. */
  #send(message: ToUploadProcess): void {
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  #kill(failure: unknown): void {
    this.#failure ??= failure;
    this.#child.kill('SIGKILL');
  }

  #endBy(code: number | null, signal: NodeJS.Signals | null): UploadEnd {
    if (exhaustedBy.has(signal) || code === abortedCode) return { kind: 'exhausted' };
    const how = signal === null ? `with code ${code}` : `by ${signal}`;
    const error = new Error(`the upload worker ended ${how}`, { cause: this.#failure });
    return { kind: signal === null ? 'crashed' : 'killed', error };
  }
}
