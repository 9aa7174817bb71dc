export function ImageFindingPage() {
  return null;
}

export function ProjectImageFindingPage() {
  return null;
}
