/** Names that Trivy and the others use for what Grype calls differently. */
const common: Readonly<Record<string, string>> = {
  github: 'ghsa',
  rhel: 'redhat',
  amzn: 'amazon',
  ol: 'oracle',
};

/** Whose data a namespace of Grype names: `debian` of `debian:distro:debian:10`, `ghsa` of `github:language:python`. */
export function sourceOf(namespace: string): string | null {
  const [first = ''] = namespace.toLowerCase().split(':');
  if (first === '') return null;
  return Object.hasOwn(common, first) ? (common[first] ?? null) : first;
}
