import type { Logger } from 'pino';
import type { Environment } from '../env.js';
import { httpReceiver, streamReceiver } from '../service/audit-sink/receivers.js';
import { auditSinkJob, endAuditSink } from '../service/audit-sink/sink.js';
import type { Database } from '../service/db/database.js';
import type { Job } from '../service/jobs/job.js';

/** Sends the audit log to the sink that is set. Without one nothing is queued, and there is no job. */
export async function openAuditSink(
  { AUDIT_SINK: sink, AUDIT_SINK_TOKEN: token }: Environment,
  database: Database,
  logger: Logger,
): Promise<readonly Job[]> {
  if (sink === undefined) {
    await endAuditSink(database);
    return [];
  }
  const receiver = sink === 'stdout' ? streamReceiver(process.stdout) : httpReceiver({ url: sink, token });
  return [await auditSinkJob({ database, receiver, logger })];
}
