/** Tables whose rows belong to change sets, with the columns after the organisation that tell their rows apart. */
export const setTables = {
  findings: ['id'],
  container_images: ['id'],
  tech_stack_items: ['id'],
  unmatched_components: ['project_id', 'source', 'key'],
  reported_vulnerabilities: ['id'],
  usage_dependencies: ['project_id', 'ecosystem', 'package_name', 'version'],
  vex_documents: ['id'],
  vex_proposals: ['id'],
} as const;

export type SetTable = keyof typeof setTables;

export const setTableNames: readonly SetTable[] = [
  'findings',
  'container_images',
  'tech_stack_items',
  'unmatched_components',
  'reported_vulnerabilities',
  'usage_dependencies',
  'vex_documents',
  'vex_proposals',
];

/** Tables of counts, which have rows of their own for a set. */
export const countTables = ['posture_counts', 'posture_days', 'stack_counts'] as const;
export type CountTable = (typeof countTables)[number];
