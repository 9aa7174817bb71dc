import { alternatives } from '../../patterns.js';

/**
 * A client that Prisma writes into the project (https://www.prisma.io/docs/orm/prisma-schema/overview/generators), with the
 * modules of it that a program imports. Other generators write into folders of other names.
 */
const clientModules = alternatives(
  'client browser index edge default enums models sql internal(?:/\\w+)? models/\\w+ runtime/\\w+',
);
const prismaClient = new RegExp(
  '(?:^|[/.])(?:generated/(?:[\\w-]*prisma[\\w-]*|prisma/client)|[\\w-]*prisma/generated/(?:prisma|client)|\\.prisma/client)' +
    `(?:/(?:${clientModules}))?(?:\\.[cm]?[jt]s)?$`,
  'i',
);

/**
 * The packages that a generated module can import, where a specifier names one that no file of the tree answers to; null where
 * it names no module of a known generator that the project has. Prisma's client imports nothing but Prisma's own packages.
 */
export function importedByGenerated(specifier: string, lockedNames: ReadonlySet<string>): readonly string[] | null {
  if (!prismaClient.test(specifier) || !(lockedNames.has('prisma') || lockedNames.has('@prisma/client'))) return null;
  return [...lockedNames].filter((name) => name === 'prisma' || name.startsWith('@prisma/'));
}
