import { join } from 'node:path';
import { defineConfig } from 'vite';
import { licences } from './tools/licences.mjs';

const root = import.meta.dirname;

/**
 * Builds the page from src/web to dist/web. Addresses are relative, so that it works below a proxy's path
 * prefix.
 */
export default defineConfig({
  root: 'src/web',
  base: './',
  plugins: [licences({ root, own: join(root, 'src') })],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    // The content security policy allows no inline scripts or styles, so every asset is a separate file.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
