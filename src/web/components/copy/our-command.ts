import { ourPackage } from './our-package.js';

/**
 * A command of this server's own package, as a terminal runs it in any folder. The package comes from this server: by a bare
 * name npx would run whatever package has that name, with the key in its environment.
 *
 * @param command a program of the package and its arguments, such as `reach sync .`
 */
export function ourCommand(command: string, origin: string = window.location.origin): string {
  return `npx ${ourPackage(origin).join(' ')} ${command}`;
}
