import { isCycloneDx, readCycloneDx } from './cyclonedx.js';
import { looksLikeXml, parseCycloneDxXml } from './cyclonedx-xml.js';
import type { Sbom } from './sbom.js';
import { readSpdx2, unwrapSpdx2 } from './spdx2.js';
import { isSpdx3, readSpdx3 } from './spdx3.js';
import { unreadableSbom } from './unreadable-sbom.js';

/** Characters of the subject in a source's name. */
const maxSubjectLength = 190;

/** Reads an SBOM of any known format, recognised by its content: an object from JSON, or text that is XML. */
export async function readSbom(document: object | string): Promise<Sbom> {
  if (typeof document === 'string') {
    if (!looksLikeXml(document)) throw unreadableSbom('is text, but not XML');
    const sbom = await readKnown(await parseCycloneDxXml(document));
    return { ...sbom, format: `${sbom.format} XML` };
  }
  return readKnown(document);
}

async function readKnown(document: object): Promise<Sbom> {
  if (isCycloneDx(document)) return readCycloneDx(document);
  const spdx2 = unwrapSpdx2(document);
  if (spdx2 !== null) return readSpdx2(spdx2);
  if (isSpdx3(document)) return readSpdx3(document);
  throw unreadableSbom('has none of bomFormat (CycloneDX), spdxVersion (SPDX 2) and an @context of SPDX 3');
}

/** The source of an SBOM whose uploader names none: one for each described component. */
export function defaultSource({ subject }: Sbom): string {
  const name = (subject.name ?? '').replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return name === '' ? 'sbom' : `sbom:${[...name].slice(0, maxSubjectLength).join('')}`;
}
