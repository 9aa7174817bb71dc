import { parentPort, workerData } from 'node:worker_threads';
import * as z from 'zod';
import { ecosystem } from '../../shared/packages/ecosystem.js';
import { readList } from './read-list.js';

const document = z.object({ ecosystem, name: z.string(), body: z.instanceof(Uint8Array) });

if (parentPort === null) throw new Error('list-worker.js runs only as a worker thread.');
parentPort.postMessage(readList(document.parse(workerData)));
