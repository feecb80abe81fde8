// Puts the daemon's modules into a few files, dist/main.js and dist/chunks/: a Pi spends most of its start-up on finding
// and opening hundreds of modules one by one. What tsc has made stays beside them, for workers, children and tools.
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { licences } from './licences.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [source, dist] = [join(root, 'src'), join(root, 'dist')];

/** A module that asks where it lies (for folders, workers and children beside it) is told where tsc has put it. */
const ownUrls = {
  name: 'own-urls',
  transform(code, id) {
    if (!id.startsWith(source) || !code.includes('import.meta.url')) return null;
    const url = JSON.stringify(`../${relative(source, id).replace(/\.ts$/, '.js')}`);
    return { code: code.replaceAll('import.meta.url', `new URL(${url}, import.meta.url).href`), map: null };
  },
};

/** Bundles what `src/main.ts` needs. Names carry their content's hash, so that a running daemon keeps its own files. */
export async function bundleDaemon() {
  const { output } = await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    // What the daemon needs from node_modules stays there; should a package come in after all, its licence does too.
    plugins: [ownUrls, licences({ root, own: source })],
    build: {
      ssr: join(source, 'main.ts'),
      outDir: dist,
      emptyOutDir: false,
      target: 'node20',
      minify: false,
      rolldownOptions: { output: { entryFileNames: 'main.js', chunkFileNames: 'chunks/[name]-[hash].js' } },
    },
  });
  if (readFileSync(join(dist, 'main.js'), 'utf8').includes('import.meta.url'))
    throw new Error('main.js asks where it lies; only files in dist/chunks/ know the answer.');
  removeOld(new Set(output.map(({ fileName }) => fileName)));
}

/** Files of earlier builds, when no daemon can be about to open them any more. */
function removeOld(created) {
  const chunks = join(dist, 'chunks');
  if (!existsSync(chunks)) return;
  const dayAgo = Date.now() - 86_400_000;
  for (const name of readdirSync(chunks)) {
    const file = join(chunks, name);
    if (!created.has(`chunks/${name}`) && statSync(file).mtimeMs < dayAgo) rmSync(file);
  }
}
