import { type MessagePort, parentPort, workerData as receivedData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { prepareDatabaseFolder } from './database-folder.js';
import { durableOptions } from './durable-fs.js';
import { FrontendStream } from './frontend-messages.js';
import { type FromWorker, type ToWorker, toWorker, workerData } from './worker-messages.js';

/** The status of PGlite leaving PostgreSQL's main loop after an SQL error (POSTGRES_MAIN_LONGJMP in its source). */
const afterSqlError = 100;
/** The protocol's Sync message: ends an extended query that a client began but did not finish. */
const sync = Uint8Array.of('S'.charCodeAt(0), 0, 0, 0, 4);
/** Answers are sent to the main thread in pieces of about this many bytes. */
const pieceSize = 256 * 1024;

if (parentPort === null) throw new Error('database-worker.js runs only as a worker thread.');
await run(parentPort, workerData.parse(receivedData).folder);

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
    stopOnCrash(database, (reason) => fail(port, [reason, ...printed]));
    serve(port, database);
    post(port, { kind: 'ready' });
  } catch (error) {
    fail(port, [reasonOf(error), ...printed]);
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
        // From a connection that is closed already.
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
    last = last.then(() => answer(toWorker.parse(message))).catch((error: unknown) => fail(port, [reasonOf(error)]));
  });
}

/** One engine serves the connections one after the other, so the state of the last one is cleared. */
async function resetSession(database: PGlite): Promise<void> {
  await database.execProtocolRawStream(sync, { syncToFs: false, onRawData() {} });
  if (database.isInTransaction()) await database.exec('rollback');
  await database.exec('discard all');
}

/** Streams raw messages. PGlite's other calls would keep all messages of all answers in memory. */
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
    post(port, { kind: 'bytes', connection, bytes: piece }, [piece.buffer]);
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
 * Ends the thread when PostgreSQL itself has ended: a PANIC because the disk is full, or a trap in WebAssembly. PGlite
 * would call the main loop again, forever.
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

function fail(port: MessagePort, reasons: readonly string[]): never {
  post(port, { kind: 'broken', message: reasons.join('; ') });
  process.exit(1);
}

function post(port: MessagePort, message: FromWorker, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
