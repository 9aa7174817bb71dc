import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { procedures } from '../procedures/index.js';
import type { Bound } from './api/perform.js';
import { containerHandlers } from './containers/handlers.js';
import { dastHandlers } from './dast/handlers.js';
import { openShared } from './db/open.js';
import { reachabilityHandlers } from './reachability/handlers.js';
import { sastHandlers } from './sast/handlers.js';
import { techStackHandlers } from './tech-stack/handlers.js';
import { doUpload } from './uploads/do-upload.js';
import { uploadTask, uploadWorkerData } from './uploads/messages.js';
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

if (parentPort === null) throw new Error('upload-worker.js runs only as a worker thread.');
serve(parentPort);

/** Does one upload after the other. */
function serve(port: MessagePort): void {
  const { shared } = uploadWorkerData.parse(workerData);
  const database = openShared(shared);
  port.on('message', (message: unknown) => {
    const task = uploadTask.parse(message);
    const bound = uploads.find(({ name }) => name === task.procedure);
    if (bound === undefined) throw new Error(`${task.procedure} takes no large bodies`);
    doUpload(database, bound, task, (report) => port.postMessage(report));
  });
}
