import * as z from 'zod';
import { coverageOfNone } from './coverage.js';
import { defineProcedure, defineQuery } from './define.js';
import {
  findingSeverity,
  findingState,
  reportAnswer,
  seen,
  tierCounts,
  uploadedReport,
  vendorSeverity,
} from './findings.js';
import { imageLayer } from './risk.js';
import { formatTitles, maxReportBytes } from './scanner-formats.js';
import { advisoryId, digestText, fixedVersionText, imageText, nameText, versionText, wordText } from './texts.js';
import { epss, epssFilter, kev, tier } from './vulnerability.js';
import {
  changedSince,
  id,
  imageRef,
  jsonObject,
  line,
  ofProject,
  pageInput,
  pageOf,
  projectRef,
  someOf,
  someProjects,
  timestamp,
} from './wire.js';

const image = z.object({
  id,
  ref: imageText.describe('normalised, as docker.io/library/node:20'),
  digest: digestText.nullable(),
  os: z.string().nullable(),
  monitored: z.boolean(),
  tiers: tierCounts,
  scanned_at: timestamp,
});

const containerFinding = z.object({
  id,
  image_id: id,
  image_ref: imageText,
  vulnerability_id: advisoryId,
  title: z.string(),
  package: z.object({ name: nameText, version: versionText, type: wordText }),
  path: z.string().nullable().describe('null for the system’s packages'),
  fixed_version: fixedVersionText.nullable(),
  layer: imageLayer.describe('which layers the package came with'),
  severity: findingSeverity,
  vendor_severity: vendorSeverity.nullable(),
  tier,
  state: findingState,
  seen_by: z.array(z.object({ tool: z.string(), last_seen_at: timestamp })),
  cvss_score: z.number().nullable(),
  epss: epss.nullable(),
  kev: kev.nullable(),
  ...seen,
  ...ofProject,
});

const dockerfile = z
  .string()
  .max(256 * 1024)
  .regex(/^[ \t]*FROM\s/im, 'is a Dockerfile, with a FROM');

const imageId = { project_id: projectRef, image_id: imageRef.describe('id or ref') };

export const containers = {
  listImages: defineQuery({
    tool: 'list_container_images',
    http: 'GET /api/projects/{project_id}/containers/images',
    everywhere: 'GET /api/containers/images',
    title: 'List container images',
    description: 'Scanned container images with their open findings by tier; by ref. Next: get_base_image_advice.',
    input: pageInput(someProjects),
    output: pageOf(image.extend(ofProject)).extend({ coverage: coverageOfNone }),
  }),
  listFindings: defineQuery({
    tool: 'list_container_findings',
    http: 'GET /api/projects/{project_id}/containers/findings',
    everywhere: 'GET /api/containers/findings',
    title: 'List container findings',
    description: 'Vulnerabilities in container images, worst first: package, fixed version, base-image or own layer.',
    input: pageInput({
      ...someProjects,
      ...changedSince,
      finding_id: id.optional().describe('in any state'),
      image: z.string().max(1024).optional().describe('id or ref'),
      state: z.enum(['open', 'all']).default('open'),
      severity: someOf(findingSeverity).optional(),
      epss_min: epssFilter,
    }),
    output: pageOf(containerFinding).extend({ coverage: coverageOfNone }),
    summary: [
      ...[
        'id',
        'image_id',
        'image_ref',
        'vulnerability_id',
        'title',
        'package.name',
        'package.version',
        'fixed_version',
      ],
      ...[
        'layer',
        'severity',
        'tier',
        'state',
        'epss.probability',
        'kev.date_added',
        'kev.due_date',
        'first_seen_at',
        'project',
      ],
    ],
  }),
  getBaseImageAdvice: defineQuery({
    tool: 'get_base_image_advice',
    http: 'GET /api/projects/{project_id}/containers/images/{image_id}/base-image-advice',
    title: 'Get base image advice',
    description:
      'Which base image to move to: better scanned ones, the change in counts each brings, and the FROM line.',
    input: z.strictObject(imageId),
    output: z.object({
      image: z.object({ id, ref: imageText }),
      base: z
        .object({ ref: imageText, image_id: id.nullable(), known_from: z.string() })
        .nullable()
        .describe('the base of the image'),
      alternatives: z
        .array(
          z.object({
            image_id: id,
            ref: imageText,
            delta: tierCounts.describe('change of open counts; negative is better'),
            why: z.string(),
          }),
        )
        .describe('best first, at most 5'),
      dockerfile: z
        .object({
          file: z.string(),
          line: z.int(),
          stage: z.string().nullable(),
          current: z.string(),
          suggested: z.string().nullable().describe('null: none is better, or the line is not of the scan'),
        })
        .nullable()
        .describe('the FROM line to change'),
      note: z.string().nullable().describe('what was compared, and what is missing'),
    }),
  }),
  uploadReport: defineProcedure({
    access: 'write',
    http: 'POST /api/projects/{project_id}/containers/reports',
    body: 'report',
    maxBytes: maxReportBytes,
    title: 'Upload a container scan',
    description: `${formatTitles('containers')} JSON. Findings of the same image are fixed when each scanner that saw them has searched there again.`,
    input: z.strictObject({
      project_id: projectRef,
      image: line(1024).optional().describe('the image’s ref, where the report names none'),
      complete: z.boolean().optional().describe('no filter left anything out: what is missing is fixed'),
      report: jsonObject,
    }),
    output: reportAnswer.extend({
      image_id: id.describe('of several, the one with the most findings'),
      images: z
        .array(uploadedReport.extend({ image_id: id, ref: imageText }))
        .describe('each image of the report; the rest of the answer has their sums'),
    }),
  }),
  updateImage: defineProcedure({
    access: 'write',
    http: 'PATCH /api/projects/{project_id}/containers/images/{image_id}',
    title: 'Update a container image',
    description: 'Sets continuous monitoring: whether new intelligence re-evaluates the image’s findings.',
    input: z.strictObject({ ...imageId, monitored: z.boolean() }),
    output: image,
  }),
  setDockerfile: defineProcedure({
    access: 'write',
    http: 'PUT /api/projects/{project_id}/containers/images/{image_id}/dockerfile',
    title: 'Set an image’s Dockerfile',
    description: 'So that advice can name the FROM line to change.',
    input: z.strictObject({ ...imageId, path: line(1024), text: dockerfile }),
    output: z.object({ image_id: id, path: z.string(), stages: z.int() }),
  }),
};
