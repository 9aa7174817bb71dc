import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { ServiceAppOptions } from '../../src/service/app.js';
import { hashSecret } from '../../src/service/auth/api-key.js';
import type { Plan } from '../../src/service/auth/caller.js';
import { issuePasswordReset } from '../../src/service/auth/password-reset.js';
import { addressProof } from '../../src/service/mail/address-proof.js';
import { advisory, storeAdvisory } from '../service/alerts/advisories.js';
import { dependency, report } from '../service/reachability/report.js';
import { result, run, sarif } from '../service/scanners/sarif/sarif-report.js';
import { diffIds, layersOf, trivyReport, vulnerability } from '../service/scanners/trivy/trivy-report.js';
import { alert, site, zap } from '../service/scanners/zap/zap-report.js';
import { textAt } from '../support/at.js';
import { type AuthorizationServer, startAuthorizationServer } from '../support/authorization-server.js';
import { type RogueIssuer, startRogueIssuer } from '../support/rogue-issuer.js';
import type { TestOrganisation, TestService } from '../support/service.js';

/** Packages and advisories that many worlds share: intelligence belongs to no organisation. */
export interface Intelligence {
  readonly packageName: string;
  readonly otherName: string;
  readonly deprecatedName: string;
  readonly cve: string;
  readonly advisoryIds: readonly string[];
}

/** Two vulnerable packages, one of them with a CVE that is scored and known exploited, and a deprecated one. */
export async function storeIntelligence({ database }: Pick<TestService, 'database'>): Promise<Intelligence> {
  const mark = randomUUID();
  const [packageName, otherName, deprecatedName] = [`a-${mark}`, `b-${mark}`, `c-${mark}`];
  const cve = `CVE-1989-${Math.floor(Math.random() * 1e15) + 1_000}`;
  const advisoryIds = [`GHSA-1-${mark}`, `GHSA-2-${mark}`];
  const vector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N';
  const [first = '', second = ''] = advisoryIds;
  const scored = {
    cves: [cve],
    severity: 'critical',
    cvss_version: '3.1',
    cvss_score: 9.1,
    cvss_vector: vector,
  } as const;
  await storeAdvisory(database, packageName, advisory(first, '0', '2.0.0', scored));
  await storeAdvisory(database, otherName, advisory(second, '0', '3.0.0', { severity: 'moderate' }));
  await database.system(async (tx) => {
    const [probability, percentile, model] = [0.5, 0.9, 'v2025.03.14'];
    await tx.insertInto('epss').values({ cve, probability, percentile, scored_on: '2025-08-15', model }).execute();
    await tx
      .insertInto('kev')
      .values({ cve, date_added: '2025-01-02', due_date: '2025-01-23', ransomware: false })
      .execute();
  });
  return { packageName, otherName, deprecatedName, cve, advisoryIds };
}

/** An organisation in which every procedure has something to answer or to change. */
export interface World {
  readonly intelligence: Intelligence;
  readonly organisation: TestOrganisation;
  readonly projectId: string;
  /** The project is in it, and it is in another one. */
  readonly groupId: string;
  /** Of the package with a CVE. */
  readonly alertId: string;
  readonly verdictId: string;
  /** Acknowledged; its verdict is overridden. */
  readonly settledAlertId: string;
  readonly settledVerdictId: string;
  /** Of a VEX document, on the verdict that is not settled. */
  readonly proposalId: string;
  readonly itemId: string;
  readonly targetId: string;
  /** Of an image on another that was scanned, with its Dockerfile. */
  readonly imageId: string;
  /** A hosted scan of the target, queued. */
  readonly serverScanId: string;
  /** With one delivery, of a test. */
  readonly webhookId: string;
  /** Of the group that the project is in, where a test has added one. */
  readonly groupWebhookId?: string;
  /** Of a large report, done. */
  readonly uploadId: string;
  readonly inviteId: string;
  readonly inviteToken: string;
  /** By which the member sets a new password. */
  readonly resetToken: string;
  readonly issuerId: string;
  /** The member's, of the issuer. */
  readonly identityId: string;
  /** Of the issuer, about somebody who is no member yet. Empty in a world without proofs. */
  readonly issuerToken: string;
  /** Named, and not proven yet: a record shows it. */
  readonly domain: string;
  /** By which the member confirms the address. */
  readonly proofToken: string;
  readonly signIns: SignIns;
}

/** Sign-ins at the server's own issuer. Empty in a world without proofs. */
interface SignIns {
  /** Of that person, to be finished. */
  readonly begun: Callback;
  /** Of a person who has no account yet. */
  readonly unlinked: Callback;
  /** Of a person with an account here and one in another organisation, whose choice is open. */
  readonly proof: string;
  /** A session of that person here. */
  readonly session: string;
  /** Id of the other organisation. */
  readonly elsewhere: string;
}

interface Callback {
  readonly flow: string;
  readonly callback: string;
}

/** What shows who the people of worlds are: the authorization server of a service, and the TXT records of their domains. */
export interface Proofs {
  readonly server: AuthorizationServer;
  /** The issuer of the service's own client. */
  readonly signIns: RogueIssuer;
  readonly records: Map<string, string>;
  /** Options of the service. */
  readonly options: Required<Pick<ServiceAppOptions, 'issuer' | 'resolveTxt' | 'signIn'>>;
  readonly close: () => Promise<void>;
}

const audiences = { mcp: 'https://posture.example.com/mcp', api: 'https://posture.example.com/api' };

export async function startProofs(): Promise<Proofs> {
  const [server, signIns] = await Promise.all([startAuthorizationServer(), startRogueIssuer()]);
  const records = new Map<string, string>();
  const resolveTxt = async (name: string) => [[records.get(name) ?? '']];
  const instance = { issuer: signIns.issuer, clientId: 'postern', clientSecret: 'only they and we know it' };
  return {
    ...{ server, signIns, records },
    options: {
      ...{ issuer: { url: server.issuer, audiences }, resolveTxt },
      signIn: { publicUrl: 'https://posture.example.com', instance },
    },
    close: async () => {
      await Promise.all([server.close(), signIns.close()]);
    },
  };
}

/** The running application of every world. */
export const targetUrl = 'https://shop.example.com';

/** Makes a world; two of them differ in ids, secrets and times alone. */
export async function makeWorld(
  service: TestService,
  intelligence: Intelligence,
  { plan = 'Enterprise', proofs }: { readonly plan?: Plan; readonly proofs?: Proofs } = {},
): Promise<World> {
  const { packageName, otherName, deprecatedName, cve } = intelligence;
  const organisation = await service.newOrganisation({ plan });
  const ask = async (credential: string, method: string, path: string, body?: unknown) => {
    const answer = await service.call(credential, method, path, body);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const key = organisation.writeKey;
  const newGroup = (fields: Record<string, unknown>) => ask(organisation.admin.session, 'POST', '/api/groups', fields);
  await newGroup({ name: 'Retail', owner_id: organisation.admin.id });
  const groupId = textAt(await newGroup({ name: 'Storefront', parent: 'Retail' }), 'id');
  const project = await ask(organisation.admin.session, 'POST', '/api/projects', {
    name: 'shop',
    group: 'Storefront',
    description: 'sells\nthings',
    exposure: 'internet',
    repo: 'https://example.com/shop',
  });
  const projectId = textAt(project, 'id');
  const projectPath = `/api/projects/${projectId}`;
  const purls = [`pkg:npm/${packageName}@1.0.0`, `pkg:npm/${otherName}@1.5.0`] as const;
  await ask(key, 'POST', `${projectPath}/tech-stack/sync`, {
    source: 'package-lock.json',
    packages: [
      { purl: purls[0], direct: true },
      { purl: purls[1], scope: 'development' },
      { ecosystem: 'npm', name: deprecatedName, version: '1.0.0', deprecated: 'use another' },
    ],
  });
  if (plan !== 'Free') {
    const uploaded = report([dependency(purls[0], 'reached'), dependency(purls[1], 'unused')]);
    await ask(key, 'POST', `${projectPath}/reachability/usage-reports`, uploaded);
  }
  const alerts = await ask(key, 'GET', `${projectPath}/alerts`);
  await ask(key, 'POST', `${projectPath}/tech-stack/sbom`, {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    components: [],
    vulnerabilities: [{ id: 'CVE-2024-0001', ratings: [{ severity: 'high' }] }],
  });
  const items = await ask(key, 'GET', `${projectPath}/tech-stack`);
  const verdictIdOf = (row: number) => (plan === 'Free' ? 'none' : textAt(alerts, `items.${row}.verdict.id`));
  const [settledAlertId, settledVerdictId] = [textAt(alerts, 'items.1.id'), verdictIdOf(1)];
  await ask(key, 'POST', `${projectPath}/alerts/${settledAlertId}/acknowledge`, {});
  if (plan !== 'Free') {
    const ruling = { verdict: 'Exploitable', reason: 'we call it' };
    const path = `${projectPath}/reachability/verdicts/${settledVerdictId}/override`;
    await ask(organisation.member.session, 'PUT', path, ruling);
  }
  if (plan !== 'Free') await ask(key, 'POST', `${projectPath}/vex`, openVex(purls[0], cve));
  const proposals = plan === 'Free' ? undefined : await ask(key, 'GET', `${projectPath}/vex/proposals`);
  await ask(key, 'POST', `${projectPath}/sast/reports?source_repo=https://example.com/shop`, sarif(run([result(1)])));
  await ask(key, 'POST', `${projectPath}/dast/reports`, zap(site(targetUrl, alert('40012', '3'))));
  const target = await ask(key, 'POST', `${projectPath}/dast/targets`, { url: targetUrl, name: 'the shop' });
  const targetId = textAt(target, 'id');
  const queued = await ask(key, 'POST', `${projectPath}/dast/server-scan-jobs`, { target_id: targetId });
  const scan = (scanned: unknown) => ask(key, 'POST', `${projectPath}/containers/reports`, scanned);
  await scan(trivyReport('acme/node:1', [vulnerability('CVE-1989-1', 'openssl')], [], layersOf('node')));
  await scan(trivyReport('acme/node:2', []));
  const [layer] = diffIds('node');
  const inBase = vulnerability(cve, 'openssl', { Layer: { DiffID: layer }, Title: 'A flaw' });
  const image = await scan(trivyReport('acme/shop:1', [inBase], [], layersOf('node', 'shop')));
  const imageId = textAt(image, 'image_id');
  const dockerfile = { path: 'Dockerfile', text: 'FROM acme/node:1 AS shop' };
  await ask(key, 'PUT', `${projectPath}/containers/images/${imageId}/dockerfile`, dockerfile);
  const added = await ask(key, 'POST', `${projectPath}/webhooks`, {
    kind: 'generic',
    name: 'ours',
    url: 'https://webhooks.example.com/secret',
  });
  const webhookId = textAt(added, 'webhook.id');

  await ask(key, 'POST', `${projectPath}/webhooks/${webhookId}/test`, {});
  const uploadId = await addUpload(service, organisation.id, projectId);
  const email = `invited-${organisation.id}@example.com`;
  const elsewhere = {
    organisation_id: organisation.id,
    member_id: organisation.member.id,
    id: randomUUID(),
    expires_at: new Date(Date.now() + 3_600_000),
  };
  await service.database.system((tx) => tx.insertInto('sessions').values(elsewhere).execute());
  const invited = await ask(organisation.admin.session, 'POST', '/api/org/invites', { email });
  const inviteId = textAt(invited, 'invite.id');
  const people = await addPeople(service, organisation, proofs);
  return {
    ...people,
    signIns: await signInsOf(service, organisation, proofs?.signIns),
    ...(await knownTokens(service, organisation, inviteId)),
    intelligence,
    organisation,
    projectId,
    groupId,
    alertId: textAt(alerts, 'items.0.id'),
    verdictId: verdictIdOf(0),
    settledAlertId,
    settledVerdictId,
    proposalId: proposals === undefined ? 'none' : textAt(proposals, 'items.0.id'),
    itemId: textAt(items, 'items.0.id'),
    targetId,
    imageId,
    serverScanId: textAt(queued, 'id'),
    webhookId,
    uploadId,
    inviteId,
  };
}

/** An issuer that signs the member in, and a domain whose record can be found. */
async function addPeople({ database, call }: TestService, { id, admin, member }: TestOrganisation, proofs?: Proofs) {
  const { domain, txt_record } = z
    .object({ domain: z.string(), txt_record: z.object({ name: z.string(), value: z.string() }) })
    .parse((await call(admin.session, 'POST', '/api/org/domains', { domain: `d-${id}.example.com` })).body);
  proofs?.records.set(txt_record.name, txt_record.value);
  const issuer = proofs?.server.issuer ?? 'https://login.example.com';
  const [issuerId, identityId] = [randomUUID(), randomUUID()];
  await database.system(async (tx) => {
    const own = { organisation_id: id, issuer };
    await tx
      .insertInto('issuers')
      .values({ ...own, id: issuerId, default_role: 'viewer', joins: false, group_roles: '[]' })
      .execute();
    const subject = `person-${randomUUID()}`;
    await tx
      .insertInto('identities')
      .values({ ...own, id: identityId, member_id: member.id, subject })
      .execute();
  });
  const claims = { iss: issuer, aud: audiences.api, sub: `person-${randomUUID()}`, exp: inAnHour() };
  return { issuerId, identityId, issuerToken: (await proofs?.server.sign(claims)) ?? '', domain };
}

function inAnHour(): number {
  return Math.floor(Date.now() / 1000) + 3_600;
}

async function signInsOf(service: TestService, organisation: TestOrganisation, issuer?: RogueIssuer): Promise<SignIns> {
  const nothing = { flow: '', callback: '' };
  if (issuer === undefined) return { begun: nothing, unlinked: nothing, proof: '', session: '', elsewhere: '' };
  const other = await service.newOrganisation();
  const both = randomUUID();
  const policy = { issuer: issuer.issuer, default_role: 'viewer', joins: false, group_roles: '[]' } as const;
  await service.database.system(async (tx) => {
    for (const { id } of [organisation, other])
      await tx
        .insertInto('issuers')
        .values({ organisation_id: id, id: randomUUID(), ...policy })
        .execute();
    for (const [{ id }, member_id, subject] of [
      [organisation, organisation.admin.id, both],
      [other, other.member.id, both],
    ] as const)
      await tx
        .insertInto('identities')
        .values({ organisation_id: id, id: randomUUID(), member_id, issuer: issuer.issuer, subject })
        .execute();
  });
  const ask = async (path: string, body: unknown) =>
    (await service.call(null, 'POST', `/api/session/${path}`, body)).body;
  const begin = async (sub: string): Promise<Callback> => {
    const { url, flow } = begun.parse(await ask('sign-in', { issuer: 'instance' }));
    return { flow, callback: issuer.open(url, { sub }).toString() };
  };
  const finished = await ask('sign-in/finish', await begin(both));
  const proof = textAt(finished, 'choice.proof');
  const session = await ask('sign-in/organisation', { proof, organisation: organisation.id });
  return {
    ...{ begun: await begin(both), unlinked: await begin(randomUUID()), proof },
    ...{ session: textAt(session, 'token'), elsewhere: other.id },
  };
}

const begun = z.object({ url: z.string(), flow: z.string() });

/** Tokens of the links that a world has sent. Where they go by mail, no answer has one. */
async function knownTokens({ database }: TestService, { id, member }: TestOrganisation, inviteId: string) {
  const inviteToken = `postern_invite_${randomUUID()}`;
  const proofToken = `postern_address_${randomUUID()}`;
  const now = new Date();
  return database.system(async (tx) => {
    const invite = tx.updateTable('invites').set({ token_hash: hashSecret(inviteToken) });
    await invite.where('id', '=', inviteId).execute();
    const proof = { event: 'address_proof', payload: JSON.stringify(addressProof(proofToken, member.email)) };
    await tx
      .insertInto('webhook_deliveries')
      .values({
        ...{ organisation_id: id, id: `msg_${randomUUID()}`, webhook_id: null, member_id: member.id, ...proof },
        ...{ status: 'delivered', attempted_at: now },
      })
      .execute();
    const reset = { organisationId: id, memberId: member.id, issuedBy: 'the tests', mailed: false, now };
    const { token: resetToken } = await issuePasswordReset(tx, reset);
    return { inviteToken, resetToken, proofToken };
  });
}

/** An upload that was made and done by a process that has ended. */
async function addUpload({ database }: TestService, organisation_id: string, project_id: string): Promise<string> {
  const id = `upl_${randomUUID()}`;
  const at = new Date();
  await database.system((tx) =>
    tx
      .insertInto('uploads')
      .values({
        ...{
          organisation_id,
          id,
          project_id,
          procedure: 'sast.uploadReport',
          state: 'done',
          phase: 'writing',
          done: 3,
        },
        ...{ steps: 3, answer: JSON.stringify({ duplicate: false }), instance: 'ended', lease_until: at },
        ...{ received_at: at, started_at: at, finished_at: at },
      })
      .execute(),
  );
  return id;
}

/** A document that says of one package that it is not affected. */
export function openVex(purl: string, cve: string, more: Readonly<Record<string, unknown>> = {}) {
  return {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': 'https://example.com/vex/1',
    author: 'Ada',
    timestamp: '2025-01-02T03:04:05Z',
    version: 1,
    statements: [
      {
        vulnerability: { name: cve },
        products: [{ '@id': purl }],
        status: 'not_affected',
        justification: 'vulnerable_code_not_in_execute_path',
        ...more,
      },
    ],
  };
}

/**
 * An answer without what two equal worlds differ in: ids, secrets, times. Equal ids stay equal: each is replaced by its
 * number in order of appearance.
 */
export function withoutIdentity(answer: unknown): unknown {
  const seen = new Map<string, string>();
  const numbered = (kind: string) => (id: string) => {
    const known = seen.get(id) ?? `<${kind} ${seen.size + 1}>`;
    seen.set(id, known);
    return known;
  };
  const text = JSON.stringify(answer)
    .replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"<time>"')
    .replace(/postern_live_(?:[0-9a-f]{64}|…[0-9a-f]{4})/g, '<key>')
    .replace(/postern_(?:invite|reset|address)_[\w-]+/g, '<token>')
    .replace(/eyJ[\w-]+(?:\.[\w-]*){2,4}/g, '<session>')
    .replace(/(state|nonce|code_challenge)("?[=:]"?)[\w-]{43}/g, '$1$2<random>')
    .replace(/postern-domain=[0-9a-f]{40}/g, '<record>')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, numbered('uuid'))
    .replace(/\b[a-z]{3}_(?:[a-z2-7]{20}|[0-9a-f]{32})\b/g, numbered('id'))
    .replace(/\b(admin|member) [0-9a-f]{8}\b/g, '$1');
  return JSON.parse(text);
}
