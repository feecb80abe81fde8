import { join } from 'node:path';
import { defineConfig } from 'vite';
import { licences } from './tools/licences.mjs';

const root = import.meta.dirname;

/** The page, from src/web to dist/web. Addresses stay relative, so that it also lives below a proxy's prefix. */
export default defineConfig({
  root: 'src/web',
  base: './',
  plugins: [licences({ root, own: join(root, 'src') })],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    // The content policy allows no inline script or style; every asset is a file of our own.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
