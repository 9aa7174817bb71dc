import * as z from 'zod';
import { peerFields } from '../manifest.js';

const named = z.record(z.string(), z.unknown()).optional();
const flag = z.boolean().optional();

/** One entry of `packages` (https://docs.npmjs.com/cli/v11/configuring-npm/package-lock-json#packages). */
export const packageEntry = z.object({
  name: z.string().optional(),
  version: z.string().optional(),
  link: flag,
  dev: flag,
  optional: flag,
  devOptional: flag,
  peer: flag,
  extraneous: flag,
  inBundle: flag,
  resolved: z.union([z.string(), z.boolean()]).optional(),
  integrity: z.string().optional(),
  deprecated: z.union([z.string(), z.boolean()]).optional(),
  dependencies: named,
  devDependencies: named,
  optionalDependencies: named,
  ...peerFields,
});

export type PackageEntry = z.output<typeof packageEntry>;
