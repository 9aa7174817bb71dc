export function CodeFindingPage() {
  return null;
}

export function ProjectCodeFindingPage() {
  return null;
}
