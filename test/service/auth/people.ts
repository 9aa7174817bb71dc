import { randomUUID } from 'node:crypto';
import type { ServiceAppOptions } from '../../../src/service/app.js';
import { at, textAt } from '../../support/at.js';
import { type AuthorizationServer, startAuthorizationServer } from '../../support/authorization-server.js';
import type { TestOrganisation, TestService } from '../../support/service.js';

const audiences = { mcp: 'https://posture.example.com/mcp', api: 'https://posture.example.com/api' };

/** Somebody as the issuer knows them. */
export interface Person {
  readonly subject: string;
  readonly email: string;
}

export function newPerson(name = 'ceo'): Person {
  return { subject: `sub-${randomUUID()}`, email: `${name}@${randomUUID()}.example` };
}

export interface People {
  readonly server: AuthorizationServer;
  /** Options of the service. */
  readonly options: Required<Pick<ServiceAppOptions, 'issuer'>>;
  /** A token for both doors that may write, with the verified address; the claims given take precedence. */
  readonly tokenOf: (person: Person, claims?: Record<string, unknown>) => Promise<string>;
}

export async function startPeople(): Promise<People> {
  const server = await startAuthorizationServer();
  return {
    server,
    options: { issuer: { url: server.issuer, audiences } },
    tokenOf: ({ subject, email }, claims = {}) =>
      server.sign({
        ...{ iss: server.issuer, aud: [audiences.mcp, audiences.api], sub: subject, email, email_verified: true },
        ...{ scope: 'postern:read postern:write', exp: Math.floor(Date.now() / 1000) + 3_600 },
        ...claims,
      }),
  };
}

/** What admins, members and the operator of a service do about people. Each step must succeed. */
export function stepsOf(service: TestService, { server, tokenOf }: People) {
  async function ask(credential: string | null, method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await service.call(credential, method, path, body);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
  const steps = {
    ask,
    /** The organisation takes the people of the server's issuer. */
    bind: async ({ admin }: TestOrganisation) =>
      textAt(await ask(admin.session, 'POST', '/api/org/issuers', { issuer: server.issuer }), 'id'),
    /** An account by an invite whose token the admin has read: the person of the address need not know of it. */
    async accountFor({ admin }: TestOrganisation, email: string, password: string = randomUUID()) {
      const token = textAt(await ask(admin.session, 'POST', '/api/org/invites', { email }), 'token');
      const made = await ask(null, 'POST', '/api/invites/accept', { token, name: 'Ada', password });
      return { id: textAt(made, 'id'), email, password };
    },
    /** The operator says that the address is the member's. */
    prove: ({ id }: TestOrganisation, email: string) =>
      ask(service.operatorKey, 'POST', '/api/operator/addresses', { organisation_id: id, email }),
    /** The operator says that a domain is the organisation's. */
    own: ({ id }: TestOrganisation, domain: string) =>
      ask(service.operatorKey, 'POST', '/api/operator/domains', { organisation_id: id, domain }),
    /** The address's domain is the organisation's, and an admin says that the address is the member's. */
    async confirm(organisation: TestOrganisation, { id, email }: { readonly id: string; readonly email: string }) {
      await steps.own(organisation, email.slice(email.indexOf('@') + 1));
      await ask(organisation.admin.session, 'PATCH', `/api/org/members/${id}`, { confirm_address: true });
    },
    signIn: (email: string, password: string, organisation?: string) =>
      service.call(null, 'POST', '/api/session', { email, password, organisation }),
    sessionOf: async (email: string, password: string, organisation?: string) =>
      textAt(await ask(null, 'POST', '/api/session', { email, password, organisation }), 'token'),
    /** The member links the person, from inside. */
    async link(session: string, person: Person) {
      return textAt(await ask(session, 'POST', '/api/session/identities', { token: await tokenOf(person) }), 'id');
    },
    /** Where a credential leads: an organisation's id, or the reason or code of the refusal. */
    async leadsTo(credential: string, headers: Record<string, string> = {}) {
      const { body } = await service.call(credential, 'GET', '/api/session', undefined, headers);
      return at(body, 'organisation.id') ?? at(body, 'reason') ?? at(body, 'code');
    },
  };
  return steps;
}

export type Steps = ReturnType<typeof stepsOf>;
