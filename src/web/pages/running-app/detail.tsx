export function RunningAppFindingPage() {
  return null;
}

export function ProjectRunningAppFindingPage() {
  return null;
}
