import { Spec, Validation } from '@cyclonedx/cyclonedx-library';

const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);

/** What CycloneDX's own library has against a document; null if nothing. */
export function faultsOf(document: unknown): Promise<unknown> {
  return validator.validate(JSON.stringify(document));
}
