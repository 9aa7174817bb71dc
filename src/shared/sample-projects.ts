/** The projects of the sample that a first run makes. A dashboard says of them that they are not the reader's own. */
export const sampleProjects = {
  shop: {
    name: 'Web shop',
    description: 'A sample: a shop’s back end with a Java search service beside it, a while after anybody looked.',
  },
  tools: {
    name: 'Build tools',
    description: 'A sample without a usage report: its alerts are unanalyzed.',
  },
} as const;

/** Whether a project is the sample's, and was not made somebody's own by another name or description. */
export function isSampleProject(project: { readonly name: string; readonly description: string | null }): boolean {
  return Object.values(sampleProjects).some(
    ({ name, description }) => name === project.name && description === project.description,
  );
}
