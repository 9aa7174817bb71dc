import { createHash } from 'node:crypto';
import type { Context, Handlers } from '../api/handler.js';
import { findProject } from '../projects/find-project.js';
import { type CycloneDxDocument, cycloneDxDocument } from './cyclonedx-document.js';
import { firstCursor, partOf } from './document-parts.js';
import { type DocumentContents, type Inventory, loadInventory } from './inventory.js';
import { openVexDocument } from './open-vex-document.js';

type Intelligence = Handlers['intelligence'];

/** Bytes of JSON up to which the document is part of the answer. A larger one would fill an agent's context. */
const maxInlineBytes = 64 * 1024;

export const exportSbom: Intelligence['exportSbom'] = async (ctx, { project_id, vex, include_document, cursor }) => {
  const document = await sbomOf(ctx, project_id, vex);
  const json = JSON.stringify(document);
  const bytes = Buffer.byteLength(json);
  return {
    format: document.bomFormat,
    spec_version: document.specVersion,
    serial_number: document.serialNumber,
    components: document.components.length,
    vulnerabilities: document.vulnerabilities?.length ?? 0,
    bytes,
    sha256: createHash('sha256').update(json).digest('hex'),
    url: `/api/projects/${project_id}/sbom/document${vex ? '?vex=true' : ''}`,
    ...(cursor === undefined
      ? {
          document: include_document || bytes <= maxInlineBytes ? document : null,
          next_cursor: firstCursor(document, json),
        }
      : partOf(document, cursor)),
  };
};

export const getSbomDocument: Intelligence['getSbomDocument'] = (ctx, { project_id, vex }) =>
  sbomOf(ctx, project_id, vex);

export const exportOpenVex: Intelligence['exportOpenVex'] = async (ctx, { project_id }) =>
  openVexDocument(await inventoryOf(ctx, project_id, 'vulnerabilities'));

async function sbomOf(ctx: Context, projectId: string, vex: boolean): Promise<CycloneDxDocument> {
  const contents = vex ? 'vulnerabilities' : 'components';
  return cycloneDxDocument(await inventoryOf(ctx, projectId, contents), contents);
}

async function inventoryOf(ctx: Context, projectId: string, contents: DocumentContents): Promise<Inventory> {
  await findProject(ctx, projectId);
  return loadInventory(ctx, { organisationId: ctx.organisationId, projectId }, contents);
}
