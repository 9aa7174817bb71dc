import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../support/service.js';
import { stepped } from '../landing/code-reports.js';
import { notAffected, openVex, type VexProject, vexProject } from './vex-project.js';

let service: TestService;
let writing: TestService;
let afterStep = async () => {};
beforeAll(async () => {
  service = await startService();
  writing = await startService({ database: stepped(service.database, () => afterStep()), jwtKey: service.jwtKey });
});
afterAll(async () => {
  await writing.close();
  await service.close();
});

/** A project with verdicts on three packages and a pending proposal for each, and a newer version of their document. */
async function proposedProject() {
  const project = await vexProject(service);
  const found = [await project.vulnerable(), await project.vulnerable(), await project.vulnerable()];
  await project.track(...found.map(({ purl }) => purl));
  const document = (version: number, detail: string) =>
    openVex(
      found.map(({ cve, purl }) => ({ ...notAffected(cve, { '@id': purl }), impact_statement: detail })),
      { version },
    );
  await project.uploadVex(document(1, 'We never call it.'));
  const upload = () =>
    writing.call(project.organisation.writeKey, 'POST', `${project.path}/vex`, document(2, 'We never load it.'));
  return { project, upload };
}

const read = async (project: VexProject) =>
  (await Promise.all(['&state=pending', '&state=superseded'].map((state) => project.proposals(state)))).map(
    (proposals) => proposals.map(({ id, state }) => ({ id, state })),
  );

test('a document that is written in steps is seen with its last one, with what it supersedes', async () => {
  const { project, upload } = await proposedProject();
  const before = await read(project);
  const seen: unknown[] = [];
  afterStep = async () => {
    seen.push(await read(project));
  };
  const { status, body } = await upload();
  afterStep = async () => {};
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body).toMatchObject({ proposals: { created: 3, unchanged: 0, superseded: 3 } });
  const after = seen.pop();
  expect(seen.length).toBeGreaterThanOrEqual(3);
  for (const each of seen) expect(each).toEqual(before);
  expect(after).not.toEqual(before);
  expect((await read(project)).map(({ length }) => length)).toEqual([3, 3]);
});

test('a document that fails in any step leaves what was there', async () => {
  const { project, upload } = await proposedProject();
  const before = await read(project);
  let steps = 0;
  for (let failing = 1; ; failing += 1) {
    let left = failing;
    afterStep = async () => {
      left -= 1;
      if (left === 0) throw new Error('a step fails');
    };
    await upload();
    const after = await read(project);
    if (JSON.stringify(after) !== JSON.stringify(before)) break;
    steps = failing;
  }
  afterStep = async () => {};
  // After the last step it has landed, whatever fails then.
  expect(steps).toBeGreaterThanOrEqual(3);
});
