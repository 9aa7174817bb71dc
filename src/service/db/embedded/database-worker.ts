import { workerData as given, type MessagePort, parentPort } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { prepareDatabaseFolder } from './database-folder.js';
import { durableOptions } from './durable-fs.js';
import { FrontendStream } from './frontend-messages.js';
import { type FromWorker, type ToWorker, toWorker, workerData } from './worker-messages.js';

/** How PGlite leaves PostgreSQL's main loop after an ordinary SQL error (POSTGRES_MAIN_LONGJMP in its source). */
const afterSqlError = 100;
/** The protocol's Sync: ends what a client began by Parse and did not finish. */
const sync = Uint8Array.of('S'.charCodeAt(0), 0, 0, 0, 4);
/** Answers go to the main thread in pieces of about this many bytes. */
const pieceSize = 256 * 1024;

if (parentPort === null) throw new Error('database-worker.js runs only as a worker thread.');
await run(parentPort, workerData.parse(given).folder);

async function run(port: MessagePort, folder: string): Promise<void> {
  const printed: string[] = [];
  try {
    const opened = prepareDatabaseFolder(folder);
    const database = await PGlite.create({
      ...durableOptions(folder),
      onStderr(text) {
        printed.push(text);
        if (printed.length > 10) printed.shift();
        return false;
      },
    });
    opened();
    printed.length = 0;
    stopOnCrash(database, (reason) => breakDown(port, [reason, ...printed]));
    serve(port, database);
    tell(port, { kind: 'ready' });
  } catch (error) {
    breakDown(port, [reasonOf(error), ...printed]);
  }
}

function serve(port: MessagePort, database: PGlite): void {
  let connection = 0;
  let stream = new FrontendStream();
  const answer = async (message: ToWorker): Promise<void> => {
    switch (message.kind) {
      case 'connect':
        connection = message.connection;
        stream = new FrontendStream();
        return;
      case 'bytes':
        // Left over from a connection that is gone.
        if (message.connection !== connection) return;
        for (const part of stream.push(message.bytes)) {
          if (part.kind === 'startup') await resetSession(database);
          if (part.kind !== 'terminate') await exchange(port, database, connection, part.bytes);
        }
        return;
      case 'close':
        await database.close();
        process.exit(0);
    }
  };
  let last = Promise.resolve();
  port.on('message', (message: unknown) => {
    last = last
      .then(() => answer(toWorker.parse(message)))
      .catch((error: unknown) => breakDown(port, [reasonOf(error)]));
  });
}

/** One engine serves one connection after the other: what the last one left behind is taken away. */
async function resetSession(database: PGlite): Promise<void> {
  await database.execProtocolRawStream(sync, { syncToFs: false, onRawData() {} });
  if (database.isInTransaction()) await database.exec('rollback');
  await database.exec('discard all');
}

/**
 * Raw and streamed: PGlite's other calls keep every message of every answer in memory for as long as they are
 * the only ones used.
 */
async function exchange(port: MessagePort, database: PGlite, connection: number, bytes: Uint8Array): Promise<void> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  const send = () => {
    const piece = new Uint8Array(size);
    let offset = 0;
    for (const part of pieces) {
      piece.set(part, offset);
      offset += part.length;
    }
    tell(port, { kind: 'bytes', connection, bytes: piece }, [piece.buffer]);
    pieces = [];
    size = 0;
  };
  await database.execProtocolRawStream(bytes, {
    syncToFs: false,
    onRawData(data) {
      pieces.push(data.slice());
      size += data.length;
      if (size >= pieceSize) send();
    },
  });
  if (size > 0) send();
}

/**
 * PGlite calls the main loop again after any exception, forever where PostgreSQL itself has ended (a PANIC because the
 * disk is full, a trap in WebAssembly). Such an exception ends the thread instead.
 */
function stopOnCrash(database: PGlite, stop: (reason: string) => never): void {
  const engine = database.Module;
  const mainLoop = engine._PostgresMainLoopOnce;
  engine._PostgresMainLoopOnce = () => {
    try {
      mainLoop();
    } catch (error) {
      const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
      if (status !== afterSqlError) stop(reasonOf(error));
      throw error;
    }
  };
}

function breakDown(port: MessagePort, reasons: readonly string[]): never {
  tell(port, { kind: 'broken', message: reasons.join('; ') });
  process.exit(1);
}

function tell(port: MessagePort, message: FromWorker, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
