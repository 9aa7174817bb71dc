import type { Logger } from 'pino';
import type { Environment } from '../env.js';
import { httpReceiver, streamReceiver } from '../service/audit-sink/receivers.js';
import { endAuditSink, startAuditSink } from '../service/audit-sink/sink.js';
import type { Database } from '../service/db/database.js';

/** Sends the audit log to the sink that is set; answers how to stop that. Without one nothing is queued. */
export async function openAuditSink(
  { AUDIT_SINK: sink, AUDIT_SINK_TOKEN: token }: Environment,
  database: Database,
  logger: Logger,
): Promise<() => Promise<void>> {
  if (sink === undefined) {
    await endAuditSink(database);
    return async () => {};
  }
  const receiver = sink === 'stdout' ? streamReceiver(process.stdout) : httpReceiver({ url: sink, token });
  return (await startAuditSink({ database, receiver, logger })).stop;
}
