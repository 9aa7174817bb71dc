import { isCsaf, readCsaf } from './csaf.js';
import { isCycloneDx, readCycloneDx } from './cyclonedx.js';
import { isOpenVex, readOpenVex } from './open-vex.js';
import type { VexDocument } from './statement.js';

type Json = Readonly<Record<string, unknown>>;

/** The formats, told apart by what is in a document. */
const formats: readonly {
  readonly detect: (document: Json) => boolean;
  readonly read: (document: Json) => Promise<VexDocument>;
}[] = [
  { detect: isCycloneDx, read: readCycloneDx },
  { detect: isOpenVex, read: readOpenVex },
  { detect: isCsaf, read: readCsaf },
];

/** Reads a VEX document; null where it is of no known format. */
export async function readVex(document: Json): Promise<VexDocument | null> {
  return (await formats.find(({ detect }) => detect(document))?.read(document)) ?? null;
}
