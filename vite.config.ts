import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { thirdPartyLicences } from './scripts/third-party.js';

/** The dashboard. `npm run dev:web` serves it beside a running Postern (POSTERN_URL), for work on pages. */
export default defineConfig({
  root: 'src/web',
  plugins: [react(), thirdPartyLicences('third-party-licenses.txt')],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    sourcemap: false,
    // The policy of the page allows no `data:` scripts, and inlined assets cannot be cached.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'vendor',
              test: /node_modules[\\/](react|react-dom|scheduler|@trpc|superjson|@tanstack[\\/](?!react-virtual|virtual-core)[^\\/]+)[\\/]/,
              priority: 1,
            },
            // Pages without a list do not load it.
            { name: 'list', test: /node_modules[\\/]@tanstack[\\/]/ },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/trpc': { target: process.env['POSTERN_URL'] ?? 'http://127.0.0.1:3000' } },
  },
});
