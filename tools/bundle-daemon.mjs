// Bundles the daemon's modules into dist/main.js and dist/chunks/: a Pi spends most of its start-up time on
// finding and opening hundreds of modules. The output of tsc stays beside them for workers, child processes
// and tools.
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { licences } from './licences.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [source, dist] = [join(root, 'src'), join(root, 'dist')];

/**
 * Replaces `import.meta.url` with the URL of tsc's output, for modules that find folders, workers and
 * children by it.
 */
const ownUrls = {
  name: 'own-urls',
  transform(code, id) {
    if (!id.startsWith(source) || !code.includes('import.meta.url')) return null;
    const url = JSON.stringify(`../${relative(source, id).replace(/\.ts$/, '.js')}`);
    return { code: code.replaceAll('import.meta.url', `new URL(${url}, import.meta.url).href`), map: null };
  },
};

/** Bundles `src/main.ts`. File names contain a content hash, so that a running daemon keeps its own files. */
export async function bundleDaemon() {
  const { output } = await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    // Packages stay in node_modules; if one is bundled after all, its licence is included.
    plugins: [ownUrls, licences({ root, own: [source, join(root, 'locales')] })],
    build: {
      ssr: join(source, 'main.ts'),
      outDir: dist,
      emptyOutDir: false,
      target: 'node20',
      minify: false,
      rolldownOptions: {
        output: {
          entryFileNames: 'main.js',
          chunkFileNames: 'chunks/[name]-[hash].js',
          // A sixth of the bundle; the sources have them.
          comments: { legal: true, annotation: false, jsdoc: false },
        },
      },
    },
  });
  if (readFileSync(join(dist, 'main.js'), 'utf8').includes('import.meta.url'))
    throw new Error('main.js uses import.meta.url; only files in dist/chunks/ may.');
  removeOld(new Set(output.map(({ fileName }) => fileName)));
}

/** Deletes files of earlier builds after a day, when no running daemon needs them any more. */
function removeOld(created) {
  const chunks = join(dist, 'chunks');
  if (!existsSync(chunks)) return;
  const dayAgo = Date.now() - 86_400_000;
  for (const name of readdirSync(chunks)) {
    const file = join(chunks, name);
    if (!created.has(`chunks/${name}`) && statSync(file).mtimeMs < dayAgo) rmSync(file);
  }
}
