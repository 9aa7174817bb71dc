import * as z from 'zod';
import { defineQuery } from './define.js';
import { problem } from './problem.js';
import { id, jsonObject, ofProject, pageInput, pageOf, projectRef, someProjects, timestamp } from './wire.js';

export const uploadState = z.enum(['queued', 'running', 'done', 'failed']);

/** What is being done with an upload. `waiting`: for a place; the others in the order in which they come. */
export const uploadPhase = z.enum(['waiting', 'reading', 'checking', 'writing']);

/** A large upload, which a POST answers with 202 when it takes longer than the caller waits. */
export const uploadJob = z.object({
  id,
  project_id: id,
  procedure: z.string().describe('as sast.uploadReport'),
  state: uploadState,
  phase: uploadPhase,
  done: z.int().describe('steps that are done'),
  of: z.int(),
  received_at: timestamp,
  started_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
  answer: jsonObject.nullable().describe('what the POST would have answered'),
  problem: problem.nullable().describe('why it failed, as the POST would have answered'),
});

export const uploads = {
  list: defineQuery({
    http: 'GET /api/projects/{project_id}/uploads',
    everywhere: 'GET /api/uploads',
    title: 'List uploads',
    description:
      'Large uploads of a project with their states, newest first: reports, SBOMs, stack syncs. Kept for 7 days.',
    input: pageInput({ ...someProjects, state: uploadState.optional() }),
    output: pageOf(uploadJob.extend(ofProject)),
  }),
  get: defineQuery({
    http: 'GET /api/projects/{project_id}/uploads/{upload_id}',
    title: 'Get an upload',
    description: 'State and progress of a large upload; then its answer, or why it failed. Kept for 7 days.',
    input: z.strictObject({ project_id: projectRef, upload_id: id }),
    output: uploadJob,
  }),
};
