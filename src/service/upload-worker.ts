import { writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { procedures } from '../procedures/index.js';
import type { Bound } from './api/perform.js';
import { containerHandlers } from './containers/handlers.js';
import { dastHandlers } from './dast/handlers.js';
import type { Database } from './db/database.js';
import { openShared } from './db/open.js';
import { describeFailure } from './http/describe-failure.js';
import { reachabilityHandlers } from './reachability/handlers.js';
import { sastHandlers } from './sast/handlers.js';
import { techStackHandlers } from './tech-stack/handlers.js';
import { doUpload } from './uploads/do-upload.js';
import { type FromUploadProcess, toUploadProcess } from './uploads/messages.js';
import { ParentLine } from './uploads/parent-line.js';
import { ParentTurns } from './uploads/parent-turns.js';
import { vexHandlers } from './vex/handlers.js';

/** The procedures whose bodies may be large: those that set `maxBytes`. */
const { sast, dast, containers, techStack, reachability, vex } = procedures;
const uploads: readonly Bound[] = [
  { name: 'sast.uploadReport', procedure: sast.uploadReport, handler: sastHandlers.uploadReport },
  { name: 'dast.uploadReport', procedure: dast.uploadReport, handler: dastHandlers.uploadReport },
  { name: 'containers.uploadReport', procedure: containers.uploadReport, handler: containerHandlers.uploadReport },
  { name: 'techStack.sync', procedure: techStack.sync, handler: techStackHandlers.sync },
  { name: 'techStack.uploadSbom', procedure: techStack.uploadSbom, handler: techStackHandlers.uploadSbom },
  {
    name: 'reachability.uploadUsageReport',
    procedure: reachability.uploadUsageReport,
    handler: reachabilityHandlers.uploadUsageReport,
  },
  { name: 'vex.upload', procedure: vex.upload, handler: vexHandlers.upload },
];

if (process.send === undefined) throw new Error('upload-worker.js runs only as a child process.');
const send = process.send.bind(process);
stepBack();
process.once('uncaughtException', (error) => {
  tell({ kind: 'crashed', failure: describeFailure(error) }, () => process.exit(1));
});
// The parent decides when an upload ends: a terminal and a supervisor send these to all of its processes.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.once('disconnect', () => process.exit());
serve();

function tell(message: FromUploadProcess, then: () => void = () => {}): void {
  send(message, undefined, undefined, then);
}

/** Does one upload after the other. */
function serve(): void {
  const line = new ParentLine((message) => tell({ kind: 'database', message }));
  const turns = new ParentTurns((message) => tell({ kind: 'turns', message }));
  let database: Database | undefined;
  process.on('message', (received: unknown) => {
    const message = toUploadProcess.parse(received);
    if (message.kind === 'database') line.receive(message.message);
    else if (message.kind === 'turns') turns.receive(message.message);
    else if (message.kind === 'open') {
      const { database: given } = message;
      database = openShared(given.kind === 'embedded' ? { kind: 'embedded', line, turns } : given);
    } else {
      const { task } = message;
      const bound = uploads.find(({ name }) => name === task.procedure);
      if (bound === undefined || database === undefined) throw new Error(`${task.procedure} takes no large bodies`);
      doUpload(database, bound, task, tell);
    }
  });
}

/** Calls go first where the processor has too much to do, and where memory ends it is this process that is ended. */
function stepBack(): void {
  try {
    setPriority(Math.max(getPriority(), 5));
    writeFileSync('/proc/self/oom_score_adj', '500');
  } catch {
    // Only Linux has the file, and not all systems let a process do this.
  }
}
