/** A PyPI name in the form that the index compares (PEP 503). */
export function normalisePython(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, '-');
}

/** The name of a requirement (`Flask[async]>=2 ; python_version > "3"`), null where it has none (PEP 508). */
export function requirementName(requirement: string): string | null {
  return /^\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)/.exec(requirement)?.[1] ?? null;
}
