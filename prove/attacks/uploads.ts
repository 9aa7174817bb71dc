import * as z from 'zod';
import { send } from '../support/http.js';
import type { LocalProof } from '../support/proof.js';
import { expectAnswer } from '../support/rest.js';
import type { Tenant } from '../support/tenant.js';
import { waitFor } from '../support/wait.js';
import { type Attack, type AttackResult, refusalFaults } from './attack.js';

/** Longer than any gateway waits: what takes longer hangs. */
const uploadLimitMs = 240_000;

/** A small JSON text that becomes large in memory: millions of empty objects beside no finding. */
export const valuesBomb: Attack = {
  row: 'API4',
  name: 'values bomb',
  run: async (proof) => {
    const count = proof.short ? 1_000_000 : 19_000_000;
    const head = '{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"t"}},"results":[],"properties":{"a":[{}';
    const bytes = Buffer.concat([Buffer.from(head), Buffer.alloc((count - 1) * 3, ',{}'), Buffer.from(']}}]}')]);
    return upload(proof, 'sast/reports?source_repo=https://git.example.com/bomb', bytes);
  },
};

export const manyFindings: Attack = {
  row: 'API4',
  name: 'report of many findings',
  run: async (proof) => {
    // As small as a finding can be, so that the report stays below the size that makes an upload a large one.
    const results = Array.from({ length: proof.short ? 3_000 : 60_000 }, (_, n) => {
      return { ruleId: 'r', message: { text: `f${n}` } };
    });
    const report = { version: '2.1.0', runs: [{ tool: { driver: { name: 't' } }, results }] };
    const path = 'sast/reports?source_repo=https://git.example.com/many';
    return upload(proof, path, Buffer.from(JSON.stringify(report)));
  },
};

export const manyComponents: Attack = {
  row: 'API4',
  name: 'SBOM of many components',
  run: async (proof) => {
    const components = Array.from({ length: proof.short ? 2_000 : 50_000 }, (_, n) => {
      return { type: 'library', name: `c${n}`, version: '1.0.0', purl: `pkg:npm/c${n}@1.0.0` };
    });
    const document = { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, components };
    return upload(proof, 'tech-stack/sbom', Buffer.from(JSON.stringify(document)));
  },
};

async function upload(proof: LocalProof, path: string, bytes: Buffer): Promise<AttackResult> {
  const tenant = proof.tenants.Free;
  const project = await newProject(proof, tenant);
  const credential = tenant.writeKey;
  const begun = performance.now();
  const answer = await send(proof.url, {
    ...{ path: `/api/projects/${project}/${path}`, credential, body: bytes, limitMs: uploadLimitMs },
  });
  const isOver = answer.status !== 202 || (await jobEnds(proof, project, tenant));
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  const figures = `${(bytes.length / 1e6).toFixed(1)} MB: ${answer.status}, over after ${seconds} s`;
  return { figures, faults: [...refusalFaults([answer]), ...(isOver ? [] : ['its job does not end'])] };
}

const jobs = z.object({ items: z.array(z.object({ status: z.string() })) });
const stack = z.object({ total: z.int() });

/** Waits until a job that was answered 202 has ended: a scan's by its state, an SBOM's by the stack that it makes. */
async function jobEnds({ url }: LocalProof, project: string, { writeKey: credential }: Tenant): Promise<boolean> {
  const ended = await waitFor(async () => {
    const path = `/api/projects/${project}`;
    const { items } = await expectAnswer(url, { path: `${path}/sast/scan-jobs`, credential }, jobs);
    if (items.some(({ status }) => ['queued', 'running'].includes(status))) return undefined;
    const { total } = await expectAnswer(url, { path: `${path}/tech-stack`, credential }, stack);
    return items.length > 0 || total > 0 ? true : undefined;
  }, uploadLimitMs);
  return ended === true;
}

export async function newProject({ url }: LocalProof, { writeKey }: Tenant): Promise<string> {
  const body = { name: `attack ${performance.now()}` };
  const request = { path: '/api/projects', credential: writeKey, body };
  return (await expectAnswer(url, request, z.object({ id: z.string() }))).id;
}
