import type { Call } from '../support/load.js';
import { type Era, toolCall, toolList } from '../support/mcp-calls.js';
import type { Program } from './programs.js';

/** Rows of an answer that are measured; the goals hold for `goalRows`. */
export const sizes = [1, 25, 100] as const;
export const goalRows = 25;

export interface Subject {
  readonly name: string;
  readonly program: Program;
  /** What is measured of it: by rows, or the list of tools. */
  readonly kind: 'alerts' | 'tools';
  readonly call: (rows: number) => Call;
}

/** The form of a real key; the upstream accepts any. */
export const key = `postern_live_${'0'.repeat(64)}`;
const headers = { authorization: `Bearer ${key}` };
const project = (rows: number) => ({ project_id: `prj_${rows}` });

const listAlerts = (era: Era) => (rows: number) => toolCall(era, key, 'list_alerts', project(rows));
/** Whole rows, as the peers answer them; of 100 an agent gets as many as it can take. */
const listWhole = (era: Era) => (rows: number) =>
  toolCall(era, key, 'list_alerts', { ...project(rows), page_size: 100, view: 'full' });
const listTools = (era: Era) => () => toolList(era, key);

/** A tRPC query as superjson's client sends it. */
export function trpcQuery(path: string, input: object): Call {
  return { path: `/trpc/${path}?input=${encodeURIComponent(JSON.stringify({ json: input }))}`, headers };
}

const oneQuery = (rows: number) => trpcQuery('alerts.list', project(rows));
const batchOf10 = (rows: number): Call => {
  const inputs = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [n, { json: project(rows) }]));
  const paths = Array.from({ length: 10 }, () => 'alerts.list').join(',');
  return { path: `/trpc/${paths}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`, headers };
};

const [old, modern] = ['2025-06-18', '2026-07-28'] as const;

/** The first is what all others are compared with. */
export const subjects = [
  {
    name: 'bare Express + undici proxy',
    program: 'proxy',
    kind: 'alerts',
    call: (rows) => ({ path: `/api/projects/prj_${rows}/alerts`, headers }),
  },
  { name: `Postern tools/call ${old}`, program: 'postern', kind: 'alerts', call: listWhole(old) },
  { name: `Postern tools/call ${modern}`, program: 'postern', kind: 'alerts', call: listWhole(modern) },
  { name: 'fastmcp, text only', program: 'fastmcp', kind: 'alerts', call: listAlerts(old) },
  { name: 'SDK 1.x, 41 tools', program: 'sdk-1', kind: 'alerts', call: listAlerts(old) },
  { name: `SDK 2.x, 41 tools ${old}`, program: 'sdk-2', kind: 'alerts', call: listAlerts(old) },
  { name: `SDK 2.x, 41 tools ${modern}`, program: 'sdk-2', kind: 'alerts', call: listAlerts(modern) },
  { name: 'Postern tRPC', program: 'postern', kind: 'alerts', call: oneQuery },
  { name: 'tRPC by hand', program: 'trpc', kind: 'alerts', call: oneQuery },
  { name: 'Postern tRPC, batch of 10', program: 'postern', kind: 'alerts', call: batchOf10 },
  { name: 'tRPC by hand, batch of 10', program: 'trpc', kind: 'alerts', call: batchOf10 },
  { name: `Postern tools/list ${old}`, program: 'postern', kind: 'tools', call: listTools(old) },
  { name: `Postern tools/list ${modern}`, program: 'postern', kind: 'tools', call: listTools(modern) },
  { name: 'fastmcp tools/list, 1 tool', program: 'fastmcp', kind: 'tools', call: listTools(old) },
  { name: 'SDK 1.x tools/list', program: 'sdk-1', kind: 'tools', call: listTools(old) },
  { name: `SDK 2.x tools/list ${old}`, program: 'sdk-2', kind: 'tools', call: listTools(old) },
  { name: `SDK 2.x tools/list ${modern}`, program: 'sdk-2', kind: 'tools', call: listTools(modern) },
] as const satisfies readonly Subject[];

type Name = (typeof subjects)[number]['name'];

/** Processor time of a subject, at most so many times that of another. */
export interface Goal {
  readonly subject: Name;
  readonly than: Name;
  readonly ratio: number;
}

const call = (era: Era): readonly Goal[] => {
  const subject = `Postern tools/call ${era}` as const;
  return [
    { subject, than: 'bare Express + undici proxy', ratio: 2.5 },
    { subject, than: 'fastmcp, text only', ratio: 0.6 },
    { subject, than: 'SDK 1.x, 41 tools', ratio: 0.33 },
  ];
};

export const goals: readonly Goal[] = [
  ...call(old),
  ...call(modern),
  { subject: 'Postern tRPC', than: 'tRPC by hand', ratio: 0.6 },
  { subject: 'Postern tRPC, batch of 10', than: 'tRPC by hand, batch of 10', ratio: 0.6 },
  { subject: `Postern tools/list ${old}`, than: 'SDK 1.x tools/list', ratio: 0.04 },
  { subject: `Postern tools/list ${modern}`, than: 'SDK 1.x tools/list', ratio: 0.04 },
];
