import type * as z from 'zod';
import type { containers } from '../../procedures/containers.js';
import type { Context } from '../api/handler.js';
import { type BaseLine, baseLineOf, printFrom, readStages } from './dockerfile.js';
import { familiarRef } from './image-ref.js';
import type { ImageRow } from './image-row.js';

type Advice = z.output<typeof containers.getBaseImageAdvice.output>;

/** A Dockerfile, and its line that names the base. */
export interface KnownDockerfile {
  readonly file: string;
  readonly from: BaseLine;
}

/** Dockerfiles of other images that are read. */
const maxDockerfiles = 20;

/** The image's Dockerfile; with `ref`, one of the project's Dockerfiles that is built on it. */
export async function dockerfileOf(
  { tx, organisationId }: Context,
  image: ImageRow,
  ref: string | null,
): Promise<KnownDockerfile | null> {
  const files =
    ref === null
      ? [image]
      : await tx
          .selectFrom('container_images')
          .select(['dockerfile', 'dockerfile_path'])
          .where(({ and }) => and({ organisation_id: organisationId, project_id: image.project_id }))
          .where('dockerfile', 'is not', null)
          .orderBy('ref')
          .limit(maxDockerfiles)
          .execute();
  for (const { dockerfile, dockerfile_path: file } of files) {
    const from = dockerfile === null ? null : baseLineOf(readStages(dockerfile));
    if (from !== null && file !== null && (ref === null || from.ref === ref)) return { file, from };
  }
  return null;
}

/** The FROM line as it is and, where there is a better image, as it should be. */
export function printAdvice(
  { file, from }: KnownDockerfile,
  best: Advice['alternatives'][number] | undefined,
): NonNullable<Advice['dockerfile']> {
  const { line, name: stage } = from;
  return {
    file,
    line,
    stage,
    current: printFrom(from, from.from),
    suggested: best === undefined ? null : printFrom(from, familiarRef(best.ref)),
  };
}
