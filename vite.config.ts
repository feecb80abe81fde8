import { join } from 'node:path';
import { defineConfig } from 'vite';
import { licences } from './tools/licences.mjs';
import { pageTexts } from './tools/page-texts.mjs';
import { serviceWorker } from './tools/service-worker.mjs';

const root = import.meta.dirname;

/**
 * Builds the page from src/web to dist/web. Addresses are relative, so that it works below a proxy's path
 * prefix.
 */
export default defineConfig({
  root: 'src/web',
  base: './',
  plugins: [
    pageTexts(join(root, 'locales'), join(root, 'src/web/main.tsx')),
    serviceWorker({ root }),
    licences({ root, own: [join(root, 'src'), join(root, 'locales')] }),
  ],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    // The content security policy allows no inline scripts or styles, so every asset is a separate file.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // The two parts of a catalogue, `de.json?first` and `de.json`, are told apart by their names.
        chunkFileNames: ({ facadeModuleId }) =>
          `assets/[name]${facadeModuleId?.endsWith('.json?first') ? '-first' : ''}-[hash].js`,
      },
    },
  },
});
