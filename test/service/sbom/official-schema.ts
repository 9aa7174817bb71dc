import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import * as z from 'zod';

/** CycloneDX's official schemas, which its library carries. */
const folder = join(
  dirname(createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json')),
  'res/schema',
);

function schema(name: string): Record<string, unknown> {
  const text = readFileSync(join(folder, `${name}.SNAPSHOT.schema.json`), 'utf8');
  return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
}

const ajv = new Ajv({ strict: false, allErrors: false });
addFormats.default(ajv);
// RFC 3987 and RFC 6531, as far as a pattern can tell.
ajv.addFormat('iri-reference', /^[^\s<>"{}|\\^`[\]]*$/u);
ajv.addFormat('idn-email', /^[^\s@]+@[^\s@]+$/u);
for (const name of ['spdx', 'jsf-0.82', 'cryptography-defs']) {
  const part = schema(name);
  ajv.addSchema(part, `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
}
const validate = ajv.compile(schema('bom-1.6'));

/** What the official JSON schema of CycloneDX 1.6 has against a document. */
export function schemaFaultsOf(document: unknown): unknown[] {
  return validate(document) ? [] : [...(validate.errors ?? [])];
}
