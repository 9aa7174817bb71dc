import { Outlet } from '@tanstack/react-router';

export function ProjectLayout() {
  return <Outlet />;
}
