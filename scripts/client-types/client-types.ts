import path from 'node:path';
import type { Plugin } from 'rolldown';
import { procedures } from '../../src/procedures/index.js';
import { reasons } from '../../src/procedures/problem.js';
import { oneDeclarationFile } from './one-declaration-file.js';
import { alias, procedureTypes } from './procedure-types.js';
import { oneOf } from './schema-type.js';

/** Writes the types of the client beside it, in one file. */
export function clientTypes(fileName: string): Plugin {
  let root = '';
  return {
    name: 'client-types',
    buildStart({ cwd }) {
      root = cwd;
    },
    generateBundle(_options, bundle) {
      if (Object.values(bundle).some((file) => file.type === 'chunk' && file.isEntry && file.name === 'client'))
        this.emitFile({ type: 'asset', fileName, source: declarationFile(root) });
    },
  };
}

/**
 * What a frontend has of Postern, as types. Those that the project infers from its definitions are written out, with their words: so an
 * editor shows them, and nobody's compiler needs zod. A test compares them with the inferred ones (test/clients/published).
 */
function declarationFile(root: string): string {
  const source = path.join(root, 'src');
  const written = new Map([
    [
      path.join(source, 'gateway/trpc/router-record.ts'),
      `import type { TRPCMutationProcedure, TRPCQueryProcedure } from '@trpc/server';\n${procedureTypes(procedures)}`,
    ],
    [path.join(source, 'procedures/problem.ts'), alias('Reason', oneOf(Object.keys(reasons)))],
  ]);
  return `// Made by the build from the definitions of the procedures.\n${oneDeclarationFile(path.join(source, 'client/index.ts'), written)}`;
}
