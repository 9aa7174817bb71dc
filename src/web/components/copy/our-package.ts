/** How a terminal takes the package of this server: by its address. A bare name could be a stranger's. */
export function ourPackage(origin: string): string[] {
  return ['--yes', '--package', `${origin}/download/postern.tgz`];
}
