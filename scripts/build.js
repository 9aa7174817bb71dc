// Builds dist/: the programs, and where their sources have changed the dashboard and the viewer of /docs.
import { rolldown } from 'rolldown';
import { loadConfig } from 'rolldown/config';

const { output, ...input } = await loadConfig('rolldown.config.ts');
const bundle = await rolldown(input);
await bundle.write(output);
await bundle.close();
await import('./build-web.js');
await import('./build-docs.js');
