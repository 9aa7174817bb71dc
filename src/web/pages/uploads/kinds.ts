/** What can be uploaded here, with the procedure that takes it and what that asks for. */
export const kinds = {
  sarif: { word: 'SARIF report of code', path: 'sast.uploadReport', asks: 'source_repo' },
  zap: { word: 'ZAP report of a site', path: 'dast.uploadReport', asks: 'mode' },
  trivy: { word: 'Trivy report of images', path: 'containers.uploadReport', asks: 'image' },
  grype: { word: 'Grype report of an image', path: 'containers.uploadReport', asks: 'image' },
  cyclonedx: { word: 'CycloneDX SBOM', path: 'techStack.uploadSbom', asks: 'source' },
  spdx: { word: 'SPDX SBOM', path: 'techStack.uploadSbom', asks: 'source' },
  usage: { word: 'Usage report (reach/1)', path: 'reachability.uploadUsageReport', asks: null },
  vex: { word: 'VEX document', path: 'vex.upload', asks: 'product' },
} as const;

export type Kind = keyof typeof kinds;

export const kindNames = Object.keys(kinds).filter(isKind);

export function isKind(name: string): name is Kind {
  return Object.hasOwn(kinds, name);
}

/** Bytes of the largest upload; the service refuses larger ones, too. */
export const maxBytes = 64 * 1024 * 1024;
