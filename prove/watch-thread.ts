/**
 * The polite caller, in a thread of its own so that the attack's work does not slow it: every 100 ms it asks for its
 * organisation over REST, for its projects over MCP, and for /healthz, whether or not earlier answers have come.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { callTool, type Door, outcomeOf } from './support/doors.js';
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

function ask(list: WatchedCall[], door: Door, request: () => Promise<Answer>): void {
  if (open.size >= maxOpen) {
    list.push({ ms: hangsAfterMs, outcome: 'late', status: 0 });
    return;
  }
  const begun = performance.now();
  const done = request().then((answer) => {
    const ms = performance.now() - begun;
    list.push({ ms, outcome: judge(door, answer, ms), status: answer.status });
    open.delete(done);
  });
  open.add(done);
}

function judge(door: Door, answer: Answer, ms: number): WatchedCall['outcome'] {
  const outcome = outcomeOf(door, answer);
  if (outcome === 'ok') return 'good';
  if (ms >= hangsAfterMs || answer.status === 504 || answer.text.includes('did not answer within')) return 'late';
  return outcome === 'busy' ? 'busy' : 'failed';
}

function askAll(): void {
  ask(calls.org, 'rest', () => send(url, { path: '/api/org', credential: key }));
  ask(calls.mcp, 'mcp', () => callTool(url, key, 'list_projects', {}));
  ask(calls.health, 'rest', () => send(url, { path: '/healthz', credential: null }));
}

askAll();
const timer = setInterval(askAll, everyMs);
parentPort?.postMessage('begun');
parentPort?.once('message', () => {
  clearInterval(timer);
  void Promise.all(open).then(() => parentPort?.postMessage(calls));
});
