import { type MessagePort, parentPort, workerData as receivedData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { prepareDatabaseFolder } from './database-folder.js';
import { durableOptions } from './durable-fs.js';
import { Engine } from './engine.js';
import { EngineConnection } from './engine-connection.js';
import { type FromWorker, type OfUser, ofUser, type ToWorker, toWorker, workerData } from './worker-messages.js';

/** The status of PGlite leaving PostgreSQL's main loop after an SQL error (POSTGRES_MAIN_LONGJMP in its source). */
const afterSqlError = 100;
if (parentPort === null) throw new Error('database-worker.js runs only as a worker thread.');
await run(parentPort, workerData.parse(receivedData).folder);

async function run(port: MessagePort, folder: string): Promise<void> {
  const printed: string[] = [];
  try {
    const { isNew, opened } = prepareDatabaseFolder(folder);
    const onStderr = (text: string) => {
      printed.push(text);
      if (printed.length > 10) printed.shift();
      return false;
    };
    // A new database is flushed to the disk as a whole, which takes half as long as each of its files.
    if (isNew) await (await PGlite.create({ fs: new NodeFS(folder), onStderr })).close();
    const database = await PGlite.create({ ...durableOptions(folder), onStderr });
    opened();
    printed.length = 0;
    stopOnCrash(database, (reason) => fail(port, [reason, ...printed]));
    serve(port, database);
    post(port, { kind: 'ready' });
  } catch (error) {
    fail(port, [reasonOf(error), ...printed]);
  }
}

function serve(main: MessagePort, database: PGlite): void {
  const engine = new Engine();
  const failed = (error: unknown) => fail(main, [reasonOf(error)]);
  const takeOf = (port: MessagePort) => connectionsOf(database, engine, port, failed);
  const ofMain = takeOf(main);
  const answer = async (message: ToWorker): Promise<void> => {
    switch (message.kind) {
      case 'attach': {
        const { port } = message;
        const connections = takeOf(port);
        port.on('message', (received: unknown) => connections.take(ofUser.parse(received)));
        // The thread at its other end has ended.
        port.on('close', () => connections.endAll());
        return;
      }
      case 'close':
        await engine.stop();
        await database.close();
        return process.exit(0);
      default:
        ofMain.take(message);
    }
  };
  main.on('message', (message: unknown) => {
    answer(toWorker.parse(message)).catch(failed);
  });
}

/** The connections of one thread that uses the database, by the numbers that it gives them. */
function connectionsOf(database: PGlite, engine: Engine, port: MessagePort, failed: (error: unknown) => void) {
  const connections = new Map<number, EngineConnection>();
  const end = (id: number) => {
    connections.get(id)?.end().catch(failed);
    connections.delete(id);
  };
  return {
    take(message: OfUser): void {
      const id = message.connection;
      if (message.kind === 'connect') {
        connections.set(id, new EngineConnection(database, engine, port, id));
      } else if (message.kind === 'bytes') {
        // Else it is from a connection that is closed already.
        connections.get(id)?.receive(message.bytes).catch(failed);
      } else end(id);
    },
    endAll(): void {
      for (const id of connections.keys()) end(id);
    },
  };
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

function post(port: MessagePort, message: FromWorker): void {
  port.postMessage(message);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
