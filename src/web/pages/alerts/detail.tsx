export function AlertPage() {
  return null;
}

export function ProjectAlertPage() {
  return null;
}
