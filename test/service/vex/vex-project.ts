import type * as z from 'zod';
import { vex } from '../../../src/procedures/vex.js';
import type { TestService } from '../../support/service.js';
import { dependency, report } from '../reachability/report.js';
import { type ExportedProject, exportedProject } from '../sbom/exported-project.js';

export type Uploaded = z.output<typeof vex.upload.output>;
export type Proposal = z.output<typeof vex.accept.output>;

/** A project with verdicts, to which a test uploads VEX documents and decides on what they propose. */
export async function vexProject(service: TestService) {
  const project = await exportedProject(service);
  const { organisation, path } = project;
  const call = (credential: string, method: string, rest: string, body?: unknown) =>
    service.call(credential, method, `${path}/vex${rest}`, body);
  return {
    ...project,
    /** Tracks these package versions, each used; so each vulnerable one gets a verdict. */
    async track(...purls: string[]): Promise<void> {
      await project.sync(...purls);
      await project.upload(report(purls.map((purl) => dependency(purl, 'reached'))));
    },
    send: (document: unknown, query = '') => call(organisation.writeKey, 'POST', query, document),
    async uploadVex(document: unknown, query = ''): Promise<Uploaded> {
      const { status, body } = await call(organisation.writeKey, 'POST', query, document);
      if (status !== 200) throw new Error(JSON.stringify(body));
      return vex.upload.output.parse(body);
    },
    async proposals(query = ''): Promise<Proposal[]> {
      const { status, body } = await call(organisation.readKey, 'GET', `/proposals?page_size=100${query}`);
      if (status !== 200) throw new Error(JSON.stringify(body));
      return vex.listProposals.output.parse(body).items;
    },
    decide: (id: string, decision: 'accept' | 'reject', body: unknown = {}, credential = organisation.member.session) =>
      call(credential, 'POST', `/proposals/${id}/${decision}`, body),
  };
}

export type VexProject = Awaited<ReturnType<typeof vexProject>>;

/** A vulnerable package at 1.0.0 that the project tracks, with a verdict. */
export async function tracked(project: VexProject) {
  const found = await project.vulnerable();
  await project.track(found.purl);
  return found;
}

export type Vulnerable = Awaited<ReturnType<ExportedProject['vulnerable']>>;

/** What the rows of a receipt add up to. */
export function sumOf({ taken, merged, skipped, left_out }: Uploaded['receipt']): number {
  return taken + merged + skipped + left_out.reduce((sum, { count }) => sum + count, 0);
}

interface Statement {
  readonly [key: string]: unknown;
}

export function openVex(statements: readonly unknown[], more: Readonly<Record<string, unknown>> = {}) {
  return {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': 'https://acme.example/vex/1',
    author: 'Acme PSIRT',
    timestamp: '2025-01-02T03:04:05Z',
    version: 1,
    statements,
    ...more,
  };
}

export const notAffected = (name: string, product: unknown): Statement => ({
  vulnerability: { name },
  products: [product],
  status: 'not_affected',
  justification: 'vulnerable_code_not_in_execute_path',
  impact_statement: 'We never call it.',
});

export const affected = (name: string, product: unknown): Statement => ({
  vulnerability: { name },
  products: [product],
  status: 'affected',
  action_statement: 'Update to 2.0.0.',
});

export function cycloneDx(vulnerabilities: readonly unknown[], more: Readonly<Record<string, unknown>> = {}) {
  return { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, vulnerabilities, ...more };
}

export function csaf(tree: unknown, vulnerabilities: readonly unknown[], version = '1') {
  return {
    document: {
      category: 'csaf_vex',
      csaf_version: '2.0',
      publisher: { category: 'vendor', name: 'Acme PSIRT', namespace: 'https://acme.example' },
      title: 'VEX',
      tracking: { id: 'ACME-1', version, status: 'final', current_release_date: '2025-01-02T03:04:05Z' },
    },
    product_tree: tree,
    vulnerabilities,
  };
}
