import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import * as z from 'zod';
import { type AuthorizationServer, startAuthorizationServer } from '../../support/authorization-server.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';

/** Where browsers come back to. Nothing answers there: the tests read the address. */
export const publicUrl = 'http://127.0.0.1:9';

const begun = z.object({ url: z.string(), state: z.string(), flow: z.string() });
const finished = z.object({
  session: z.object({ token: z.string() }).nullable(),
  choice: z.object({ organisations: z.array(z.object({ id: z.string() })), proof: z.string() }).nullable(),
});
const idOf = z.object({ id: z.string() });

export interface World {
  readonly server: AuthorizationServer;
  readonly service: TestService;
  readonly close: () => Promise<void>;
}

/** A service with its own client at a real issuer. */
export async function startWorld(): Promise<World> {
  const server = await startAuthorizationServer();
  const client = await server.register(publicUrl);
  const service = await startService({
    signIn: { publicUrl, instance: { issuer: server.issuer, ...client } },
    // Issuers of organisations are on loopback here.
    webhookHosts: new Set(['127.0.0.1']),
  });
  return {
    ...{ server, service },
    async close() {
      await service.close();
      await server.close();
    },
  };
}

type Person = AuthorizationServer['person'];

/** A person whom nobody knows yet. */
export function newPerson(more: Partial<Person> = {}): Person {
  const sub = randomUUID();
  return { sub, email: `${sub}@example.com`, email_verified: true, name: 'Ada Lovelace', ...more };
}

/** Begins a sign-in. */
export async function begin(service: TestService, body: Readonly<Record<string, unknown>>) {
  const answer = await service.call(null, 'POST', '/api/session/sign-in', body);
  if (answer.status !== 200) throw new Error(`not begun: ${JSON.stringify(answer.body)}`);
  return begun.parse(answer.body);
}

/** A person goes to the issuer's page and comes back; answers what finishing is called with. */
export async function visit(
  { service, server }: Pick<World, 'service' | 'server'>,
  person: Person,
  body: Readonly<Record<string, unknown>> = { issuer: 'instance' },
) {
  const { url, flow, state } = await begin(service, body);
  server.person = person;
  const { search } = await server.browse(new URL(url));
  return { flow, callback: search, state };
}

export async function finish(service: TestService, body: { readonly flow: string; readonly callback: string }) {
  const { flow, callback } = body;
  return service.call(null, 'POST', '/api/session/sign-in/finish', { flow, callback });
}

/** The whole way; answers the answer of its last step. */
export async function signIn(world: Pick<World, 'service' | 'server'>, person: Person, body?: Record<string, unknown>) {
  return finish(world.service, await visit(world, person, body));
}

/** The session's token of an answer that has one. */
export function tokenOf(answer: { readonly status: number; readonly body: unknown }): string {
  const { data } = finished.safeParse(answer.body);
  if (answer.status !== 200 || data?.session == null) throw new Error(`no session: ${JSON.stringify(answer.body)}`);
  return data.session.token;
}

/** The choice of an answer that leaves one. */
export function choiceOf(answer: { readonly body: unknown }) {
  const { choice } = finished.parse(answer.body);
  if (choice === null) throw new Error('there is no choice');
  return choice;
}

/** Whose session it is, whatever its role may read. */
export async function whoIs({ call, database }: TestService, token: string) {
  const { status } = await call(token, 'GET', '/api/session');
  if (status === 401) throw new Error('the session does not count');
  const { sub = '' } = decodeJwt(token);
  return database.system((tx) =>
    tx
      .selectFrom('members')
      .select(['organisation_id as organisation', 'id', 'email', 'name', 'role', 'proven_by'])
      .where('id', '=', sub)
      .executeTakeFirstOrThrow(),
  );
}

/** Takes an issuer for an organisation; answers the binding's id. */
export async function bind(
  service: TestService,
  { admin }: TestOrganisation,
  issuer: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { status, body } = await service.call(admin.session, 'POST', '/api/org/issuers', { issuer, ...more });
  if (status !== 200) throw new Error(`not bound: ${JSON.stringify(body)}`);
  return idOf.parse(body).id;
}

/** A domain that an organisation has shown to be its own. */
export async function ownDomain({ database }: TestService, { id }: TestOrganisation): Promise<string> {
  const domain = `d-${randomUUID()}.example`;
  await database.system((tx) =>
    tx.insertInto('email_domains').values({ organisation_id: id, domain, challenge: 'c', proven_by: 'dns' }).execute(),
  );
  return domain;
}

/** The last events of an organisation, newest first. */
export async function auditOf(service: TestService, { admin }: TestOrganisation) {
  const { body } = await service.call(admin.session, 'GET', '/api/org/audit-log?page_size=20');
  return z
    .object({ items: z.array(z.object({ action: z.string(), after: z.unknown(), actor: z.unknown() })) })
    .parse(body).items;
}
