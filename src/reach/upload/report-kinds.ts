/** Scanners whose reports `reach upload` takes. */
export const reportKinds = ['sarif', 'zap', 'trivy', 'grype'] as const;
