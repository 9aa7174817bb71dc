import type { Request } from 'express';
import { sql } from 'kysely';
import * as z from 'zod';
import type { Http } from '../../procedures/define.js';
import { newPassword, organisationRecord, plan } from '../../procedures/organisation.js';
import { domain } from '../../procedures/sign-in.js';
import { givenName, id, pageInput, pageOf } from '../../procedures/wire.js';
import { fromRequest, methodOf, pathOf } from '../../shared/http/request-parts.js';
import { describeInvalid } from '../../shared/schema/parse-input.js';
import type { RequestOrigin } from '../audit/record-audit.js';
import type { Database } from '../db/database.js';
import { originOf } from '../http/address.js';
import { ApiError } from '../http/api-error.js';
import { type Receiving, readBody, receiveBody } from '../http/body.js';
import { key, type List, questionOf, requireOwnCursor } from '../http/list-order.js';
import { loadPage } from '../http/page.js';
import type { Route } from '../http/routes.js';
import { organisationColumns } from '../organisations/organisation.js';
import { ownedAddress, ownedDomain, passwordReset } from './answers.js';
import { changePlan } from './change-plan.js';
import { createOrganisation } from './create-organisation.js';
import { proveAddressOf, proveDomainOf } from './prove.js';
import { resetPasswordOf } from './reset-password.js';

const email = z.email().max(254).toLowerCase();

const creation = {
  http: 'POST /api/operator/organisations',
  input: z.strictObject({
    name: givenName(200),
    contact_email: email.optional(),
    plan,
    admin: z.strictObject({ email, name: givenName(200), password: newPassword.optional() }),
  }),
} as const;

const planChange = {
  http: 'PATCH /api/operator/organisations/{organisation_id}',
  input: z.strictObject({ organisation_id: id, plan }),
} as const;

const reset = {
  http: 'POST /api/operator/password-resets',
  input: z.strictObject({ email, organisation_id: id.optional() }),
} as const;

const domainProof = {
  http: 'POST /api/operator/domains',
  input: z.strictObject({ organisation_id: id, domain }),
} as const;

const addressProof = {
  http: 'POST /api/operator/addresses',
  input: z.strictObject({ organisation_id: id, email }),
} as const;

const listing = { http: 'GET /api/operator/organisations', input: pageInput({}) } as const;

const organisationPage = pageOf(organisationRecord);

/** An operator's routes for organisations and their people; paths are relative to `/api/operator`. */
export function operatorOrganisationRoutes(database: Database, receiving: Receiving): Route[] {
  const routeOf = routesWith(receiving);
  return [
    routeOf(creation, async (input, from) => {
      const { organisation, admin, password } = await createOrganisation(database, input, from);
      return {
        organisation: z.encode(organisationRecord, organisation),
        admin: { email: admin.email, ...(password !== undefined && { password }) },
      };
    }),
    routeOf(planChange, async (input, from) => {
      const change = { id: input.organisation_id, plan: input.plan };
      return z.encode(organisationRecord, await changePlan(database, change, from));
    }),
    routeOf(reset, async (input, from) => z.encode(passwordReset, await resetPasswordOf(database, input, from))),
    routeOf(domainProof, async (input, from) => z.encode(ownedDomain, await proveDomainOf(database, input, from))),
    routeOf(addressProof, async (input, from) => z.encode(ownedAddress, await proveAddressOf(database, input, from))),
    routeOf(listing, async (input) => z.encode(organisationPage, await listOrganisations(database, input))),
  ];
}

const routesWith =
  (receiving: Receiving) =>
  <Input extends z.ZodObject>(
    operation: { readonly http: Http; readonly input: Input },
    run: (input: z.output<Input>, from: RequestOrigin) => Promise<unknown>,
  ): Route => {
    return {
      method: methodOf(operation),
      path: pathOf(operation).slice('/api/operator'.length),
      async answer(req, res) {
        const body = req.method === 'GET' ? undefined : await bodyOf(req, receiving);
        const parsed = operation.input.safeParse(fromRequest(operation, { path: req.params, query: req.query, body }));
        if (!parsed.success) {
          throw new ApiError('invalid_input', { errors: describeInvalid(operation.input, parsed.error) });
        }
        res.json(await run(parsed.data, originOf(req, res)));
      },
    };
  };

async function bodyOf(req: Request, receiving: Receiving): Promise<unknown> {
  const received = await receiveBody(req, {}, receiving);
  return 'file' in received ? undefined : readBody(received.bytes, req.get('content-type'));
}

const oldest: List = { keys: [key('created_at', 'timestamptz'), key('id', 'text')], appeared: sql`created_at` };

function listOrganisations(database: Database, input: z.output<typeof listing.input>) {
  const question = questionOf('operator.organisations', input);
  requireOwnCursor(question, input);
  return database.system((tx) =>
    loadPage(
      { tx, question, now: new Date() },
      oldest,
      input,
      tx.selectFrom('organisations').select(organisationColumns),
    ),
  );
}
