import * as z from 'zod';
import { ecosystem } from '../shared/packages/ecosystem.js';
import { alertStatus } from './alerts.js';
import { coverage } from './coverage.js';
import { defineQuery } from './define.js';
import { getFeeds } from './feeds.js';
import { domain } from './risk.js';
import { search } from './search.js';
import { receiptFields, receiptInput } from './signed-receipt.js';
import { addressText, advisoryId, digestText, generated, nameText, purlText, versionText } from './texts.js';
import {
  band,
  cvss,
  epss,
  kev,
  packageHealth,
  packageInput,
  packageRef,
  safeVersionStatus,
  severity,
  tier,
  vulnerabilityId,
} from './vulnerability.js';
import { groupRef, id, jsonObject, pageInput, pageOf, projectRef, timestamp } from './wire.js';

/** Advisories that one check lists; `total` counts all. */
export const maxCheckedAdvisories = 25;

const sbomInput = { project_id: projectRef, vex: z.boolean().default(false) };

const matchedAdvisory = z.object({
  id: advisoryId,
  cves: z.array(advisoryId),
  title: z.string(),
  tier,
  severity: severity.nullable(),
  cvss: cvss.nullable(),
  epss: epss.nullable(),
  kev: kev.nullable(),
  malicious: z.boolean(),
  url: addressText.nullable(),
});

/** An alert or a finding. Its fields have the same meaning in all domains. */
const exposedRow = z.object({
  project_id: id,
  project_name: z.string(),
  domain,
  id: id.describe('of the alert or finding'),
  alert_id: id.nullable(),
  location: z.string().nullable().describe('image, file, address'),
  package: packageRef.extend({ ecosystem: ecosystem.nullable(), purl: purlText.nullable() }).nullable(),
  versions: z.array(versionText),
  tier,
  band: band.nullable(),
  status: z.enum([...alertStatus.options, 'suppressed']),
});

export const intelligence = {
  checkPackage: defineQuery({
    tool: 'check_package',
    http: 'GET /api/intelligence/package',
    transactions: 'own',
    title: 'Check a package',
    description:
      'Is a package version safe to add? Its advisories, health and nearest safe version; coverage says what is unknown. Takes purl, or ecosystem, name and version.',
    input: packageInput(receiptInput),
    output: z.object({
      package: packageRef.extend({ version: versionText }),
      package_path: nameText.nullable().describe('the Go package that was asked for; package is its module'),
      advisories: z.array(matchedAdvisory).describe(`worst first, at most ${maxCheckedAdvisories}`),
      total: z.int(),
      health: packageHealth,
      safe_version: versionText
        .nullable()
        .describe(
          'this version if it is one, as of as_of.advisories; null: none is known, or advisories are over 7 days old',
        ),
      safe_version_status: safeVersionStatus
        .nullable()
        .describe('unverified: nothing here shows that it was published'),
      as_of: z
        .object({
          advisories: timestamp.nullable(),
          epss: z.iso.date().nullable(),
          kev: z.iso.date().nullable(),
          stale: z.boolean(),
        })
        .describe('age of the intelligence; stale: a feed is absent or older than 7 days'),
      coverage,
      ...receiptFields,
    }),
  }),
  findExposed: defineQuery({
    tool: 'find_exposed',
    http: 'GET /api/intelligence/exposed',
    title: 'Find exposed projects',
    description:
      'Where are we exposed to one CVE? Alerts, and findings in images, code and running apps; worst first, resolved last.',
    input: pageInput({
      group: groupRef.optional(),
      cve: vulnerabilityId.describe('or GHSA, GO, PYSEC, RUSTSEC, OSV id'),
      ...receiptInput,
    }),
    output: pageOf(exposedRow).extend({ coverage, ...receiptFields }),
  }),
  getPackageHealth: defineQuery({
    tool: 'get_package_health',
    http: 'GET /api/projects/{project_id}/package-health',
    title: 'List packages at risk',
    description: 'Which packages of a project to replace: deprecated, unmaintained or malicious ones.',
    input: pageInput({ project_id: projectRef }),
    output: pageOf(
      z.object({
        item_id: id,
        ecosystem,
        name: nameText,
        version: versionText,
        direct: z.boolean().nullable(),
        health: packageHealth,
      }),
    ).extend({ coverage }),
  }),
  exportSbom: defineQuery({
    tool: 'export_sbom',
    document: 'document',
    http: 'GET /api/projects/{project_id}/sbom',
    title: 'Export the SBOM',
    description: 'A project’s SBOM (CycloneDX); vex adds vulnerabilities and people’s rulings. Enterprise plan.',
    input: z.strictObject({
      ...sbomInput,
      include_document: z.boolean().default(false).describe('also above 64 KiB'),
      cursor: z.string().max(100).optional().describe('a next_cursor, for a part'),
    }),
    output: z.object({
      format: z.literal('CycloneDX'),
      spec_version: z.literal('1.6'),
      serial_number: generated(z.string()).describe('the same while nothing has changed'),
      components: z.int(),
      vulnerabilities: z.int(),
      bytes: z.int(),
      sha256: digestText,
      url: generated(z.string()).describe('path of the document'),
      document: jsonObject.nullable().describe('inline up to 64 KiB, or where asked for; with a cursor, a part of it'),
      next_cursor: generated(z.string())
        .nullable()
        .describe('of the part that follows; without a cursor, of the first; null: none'),
    }),
  }),
  getSbomDocument: defineQuery({
    http: 'GET /api/projects/{project_id}/sbom/document',
    title: 'Get the SBOM’s document',
    description: 'The CycloneDX 1.6 document itself: the bytes whose hash export_sbom gives.',
    input: z.strictObject(sbomInput),
    output: z.looseObject({ bomFormat: z.literal('CycloneDX'), specVersion: z.literal('1.6') }),
  }),
  exportOpenVex: defineQuery({
    http: 'GET /api/projects/{project_id}/vex',
    title: 'Export OpenVEX',
    description:
      'An OpenVEX 0.2.0 document: what is known, and ruled by people, of each vulnerability. Enterprise plan.',
    input: z.strictObject({ project_id: projectRef }),
    output: z.looseObject({ '@context': z.literal('https://openvex.dev/ns/v0.2.0') }),
  }),
  search,
  getFeeds,
};
