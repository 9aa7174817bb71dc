import { useParams } from '@tanstack/react-router';

/** The project whose pages the reader is in; undefined where pages show all projects. */
export function useProjectId(): string | undefined {
  return useParams({ from: '/frame/projects/$projectId', shouldThrow: false })?.projectId;
}
