/**
 * The polite caller, in a thread of its own so that the attack's work does not slow it: every 100 ms it asks for its
 * organisation over REST, for its projects over MCP, and for /healthz, whether or not earlier answers have come.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { callTool } from './support/doors.js';
import { type Answer, send } from './support/http.js';
import { type WatchedCall, type WatchedCalls, watchOrder } from './support/watcher.js';

const { url, key } = watchOrder.parse(workerData);
const everyMs = 100;
/** Calls without an answer, at most: a server that hangs must not fill this machine with sockets. */
const maxOpen = 300;
/** What a call counts as that never got an answer, or was not sent because others did not: the limit of `send`. */
const hangsAfterMs = 60_000;

const calls: WatchedCalls = { org: [], mcp: [], health: [] };
const open = new Set<Promise<void>>();

function ask(list: WatchedCall[], request: () => Promise<Answer>, isGood: (answer: Answer) => boolean): void {
  if (open.size >= maxOpen) {
    list.push({ ms: hangsAfterMs, outcome: 'late', status: 0 });
    return;
  }
  const begun = performance.now();
  const done = request().then((answer) => {
    const ms = performance.now() - begun;
    const isLate = ms >= hangsAfterMs || answer.status === 504 || answer.text.includes('did not answer within');
    list.push({ ms, outcome: isGood(answer) ? 'good' : isLate ? 'late' : 'failed', status: answer.status });
    open.delete(done);
  });
  open.add(done);
}

function askAll(): void {
  const isAnswered = ({ status }: Answer) => status === 200;
  ask(calls.org, () => send(url, { path: '/api/org', credential: key }), isAnswered);
  ask(
    calls.mcp,
    () => callTool(url, key, 'list_projects', {}),
    ({ status, text }) => status === 200 && text.includes('structuredContent'),
  );
  ask(calls.health, () => send(url, { path: '/healthz', credential: null }), isAnswered);
}

askAll();
const timer = setInterval(askAll, everyMs);
parentPort?.postMessage('begun');
parentPort?.once('message', () => {
  clearInterval(timer);
  void Promise.all(open).then(() => parentPort?.postMessage(calls));
});
