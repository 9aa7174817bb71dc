import * as z from 'zod';
import type { Procedure } from '../../procedures/define.js';
import { readVulnerabilityId } from '../../shared/vulnerability-id.js';
import type { ResolveNames } from '../api/as-caller.js';
import type { RequestParameters } from '../api/perform.js';
import { tenantOf } from '../auth/caller.js';
import type { Database, Transaction } from '../db/database.js';
import type { Scope } from '../db/scope.js';
import { notFound } from '../http/api-error.js';
import { namedAlert } from './named-alert.js';
import { namedImage } from './named-image.js';
import { namedProject } from './named-project.js';

/** As `newId` writes them: what has this form is taken for an id, and costs no look-up. */
const idForm = /^[a-z]{3}_[a-z2-7]{20}$/;

/** Finds the id of what is named in a project, or in all. */
type Find = (tx: Transaction, scope: Scope) => Promise<string>;

/** Things of a project that go by a name. Null for what is an id. */
const namedThings: Readonly<Record<string, (given: string) => Find | null>> = {
  alert_id: (given) => byVulnerability('alert', given),
  verdict_id: (given) => byVulnerability('verdict', given),
  image_id: (given) => (idForm.test(given) ? null : (tx, scope) => namedImage(tx, scope, given)),
};

/** No id of ours is also the id of a vulnerability. */
function byVulnerability(kind: 'alert' | 'verdict', given: string): Find | null {
  const vulnerability = readVulnerabilityId(given);
  if (vulnerability === null) return null;
  return (tx, scope) => namedAlert(tx, scope, kind, vulnerability);
}

/**
 * Reads and writes take a project's name, an image's ref, and the id of a vulnerability for the one alert about it or its verdict.
 * What deletes takes ids alone.
 */
export function createResolveNames(database: Database): ResolveNames {
  return async (procedure, caller, parameters) => {
    const project = givenIn(procedure, parameters, 'project_id');
    const things = Object.entries(namedThings).flatMap(([field, name]) => {
      const given = givenIn(procedure, parameters, field);
      const find = given === null ? null : name(given.text);
      return given === null || find === null ? [] : [{ ...given, field, find }];
    });
    const isId = project === null || idForm.test(project.text);
    if (isId && things.length === 0) return parameters;
    const { organisationId } = caller;
    const idsOnly = procedure.access === 'destructive';
    return database.read(
      tenantOf(caller),
      async (tx) => {
        const projectId =
          project === null ? undefined : await idOf(tx, { organisationId, given: project.text, idsOnly });
        let named =
          project === null || projectId === undefined
            ? parameters
            : withValue(parameters, project.place, 'project_id', projectId);
        for (const { place, field, find } of things) {
          named = withValue(named, place, field, await find(tx, { organisationId, projectId }));
        }
        return named;
      },
      { maxWaitMs: database.requestWaitMs },
    );
  };
}

function idOf(tx: Transaction, asked: Parameters<typeof namedProject>[1]): Promise<string> {
  return idForm.test(asked.given) ? existing(tx, asked.organisationId, asked.given) : namedProject(tx, asked);
}

/** A name within a project that does not exist is no reason to speak of the name. */
async function existing(tx: Transaction, organisationId: string, id: string): Promise<string> {
  const project = await tx
    .selectFrom('projects')
    .select('id')
    .where(({ and }) => and({ organisation_id: organisationId, id }))
    .executeTakeFirst();
  if (project === undefined) throw notFound('project');
  return project.id;
}

interface Given {
  readonly place: keyof RequestParameters;
  readonly text: string;
}

/** A value of path or query, tidied by its schema; null where there is none, or one that the schema refuses later. */
function givenIn({ input }: Procedure, { path, query }: RequestParameters, field: string): Given | null {
  const schema = input.shape[field];
  const place = path[field] !== undefined ? 'path' : 'query';
  const value = path[field] ?? query[field];
  if (value === undefined || !(schema instanceof z.ZodType)) return null;
  const { data } = schema.safeParse(value);
  return typeof data === 'string' ? { place, text: data } : null;
}

function withValue(
  parameters: RequestParameters,
  place: keyof RequestParameters,
  field: string,
  value: string,
): RequestParameters {
  return { ...parameters, [place]: { ...parameters[place], [field]: value } };
}
