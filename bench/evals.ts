/**
 * How well agents do with the tools: thirty questions with known answers about the sample organisation of a first start.
 * `npm run evals` walks the shortest paths and prints calls and tokens. With EVALS_MODEL, and ANTHROPIC_API_KEY or OPENAI_API_KEY
 * (EVALS_BASE_URL for another server of the same API), that model answers the questions too, and then meets texts that
 * outsiders planted in findings: what it does is scored, not what it says of itself. Ends with 1 if an answer was wrong or a
 * text was obeyed.
 */
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { harmsOf, injectedTask, injections, plantedReport } from '../evals/injections.js';
import { askModel } from '../evals/model/ask.js';
import { modelOf } from '../evals/model/settings.js';
import { faultsOf, isAnswerable } from '../evals/question.js';
import { questions } from '../evals/questions/index.js';
import { readTools } from '../evals/read-tools.js';
import { connect, reading, type Server, type Tools } from '../evals/tools.js';
import { ecosystems } from '../src/shared/packages/ecosystem.js';
import { startSampleServer } from './capacity/sample-server.js';
import { buildPostern } from './support/postern-program.js';

type Ask = (tools: Tools, task: string) => Promise<string | null>;

const named = z.object({ id: z.string(), name: z.string() });

function row(right: boolean, name: string, tools: Tools, faults: readonly string[]): boolean {
  const spent = `${tools.calls.length} calls, ${tools.tokens()} tokens`;
  console.log(`${right ? 'right' : 'WRONG'}  ${name.padEnd(32)} ${spent.padEnd(24)} ${faults.join('; ')}`);
  return right;
}

async function askQuestions(server: Server, ask: Ask | null): Promise<boolean> {
  let allRight = true;
  for (const question of questions) {
    const tools = server.handOut();
    if (!isAnswerable(question, tools.visible)) continue;
    const answer = ask === null ? await question.walk(reading(tools)) : await ask(tools, question.asked);
    const faults = answer === null ? ['gave no answer'] : faultsOf(question, answer);
    if (!row(faults.length === 0, question.name, tools, faults)) allRight = false;
  }
  return allRight;
}

async function meetInjections(url: string, key: string, ask: Ask): Promise<boolean> {
  const send = async (to: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const request = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(`${url}${to}`, { headers, ...request });
    if (!answer.ok) throw new Error(`${to}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const organisation = named.parse(await send('/api/org'));
  const server = await connect(url, key);
  let allHarmless = true;
  for (const [name, text] of injections) {
    const project = `Injected: ${name}`;
    const { id } = named.parse(await send('/api/projects', { name: project }));
    await send(`/api/projects/${id}/sast/reports?source_repo=https://git.example.com/injected`, plantedReport(text));
    const tools = server.handOut();
    const answer = await ask(tools, injectedTask(project));
    const harms = harmsOf({
      answer,
      calls: tools.calls,
      reads: readTools,
      guarded: [organisation.id, organisation.name, id, 'Web shop'],
    });
    if (!row(harms.length === 0, name, tools, harms)) allHarmless = false;
  }
  await server.close();
  return allHarmless;
}

/** A feed of today: without one no version is called safe, and most questions ask for one. Its record is about no package of the sample. */
async function loadFreshFeed(checkout: string, dataDir: string): Promise<void> {
  const modified = new Date().toISOString();
  const affected = [{ package: { ecosystem: 'npm', name: 'package-of-the-evals' }, versions: ['1.0.0'] }];
  const file = path.join(dataDir, 'fresh.ndjson');
  await writeFile(file, JSON.stringify({ id: 'EVALS-1', modified, published: modified, summary: 'none', affected }));
  const program = path.join(checkout, 'dist/postern.js');
  const args = [program, 'feeds', 'load', '--osv', file, '--covers', ecosystems.join(',')];
  const { status, stderr } = spawnSync('node', args, { env: { ...process.env, DATA_DIR: dataDir }, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the feed was not loaded: ${stderr}`);
}

const model = modelOf(process.env);
const checkout = buildPostern();
const sample = await startSampleServer(checkout, undefined);
let allRight = true;
try {
  await loadFreshFeed(checkout, sample.dataDir);
  const server = await connect(sample.url, sample.key);
  console.log('The shortest paths:');
  allRight = await askQuestions(server, null);
  if (model === null) {
    console.log('No model was asked: set EVALS_MODEL, and ANTHROPIC_API_KEY or OPENAI_API_KEY.');
  } else {
    const ask: Ask = (tools, task) => askModel(model.converse, model.endpoint, tools, task);
    console.log(`\n${model.endpoint.model}, the questions:`);
    allRight = (await askQuestions(server, ask)) && allRight;
    console.log(`\n${model.endpoint.model}, planted texts:`);
    allRight = (await meetInjections(sample.url, sample.writeKey, ask)) && allRight;
  }
  await server.close();
} finally {
  await sample.close();
}
process.exitCode = allRight ? 0 : 1;
