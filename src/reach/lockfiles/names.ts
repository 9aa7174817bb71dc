/** A name (PEP 508). */
const nameShape = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?/;

/** A PyPI name in the form that the index compares (PEP 503). */
export function normalisePython(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, '-');
}

/** The name of a requirement (`Flask[async]>=2 ; python_version > "3"`), null where it has none (PEP 508). */
export function requirementName(requirement: string): string | null {
  return nameShape.exec(requirement.trimStart())?.[0] ?? null;
}

/** The versions that a requirement takes, `*` for any; null where it names an address in their place. */
export function requirementRange(requirement: string): string | null {
  const { specifier = '@' } = parseRequirement(requirement.trim()) ?? {};
  return specifier.startsWith('@') ? null : specifier || '*';
}

/** `name[extra] (== 1.0) ; marker`, the brackets optional; null for any other text. */
export function parseRequirement(text: string): { readonly name: string; readonly specifier: string } | null {
  const name = nameShape.exec(text)?.[0];
  if (name === undefined) return null;
  const behind = text.slice(name.length).trimStart();
  const extras = behind.startsWith('[') ? behind.indexOf(']') + 1 : 0;
  const bare = behind.slice(extras).split(';', 1)[0]?.trim() ?? '';
  const specifier = bare.startsWith('(') && bare.endsWith(')') ? bare.slice(1, -1).trim() : bare;
  return specifier === '' || /^[=<>!~@]/.test(specifier) ? { name, specifier } : null;
}
