// All that is known of the code without running it: types, lint, format, circles of imports, unused code.
import { runAll } from './run-all.js';

runAll([
  'tsc',
  'tsc --project src/web',
  'rolldown --config scripts/client-types/rolldown.config.ts',
  'tsc --project test/clients/published',
  'biome ci',
  'knip',
]);
