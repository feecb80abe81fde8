// Vite plugin: writes service-worker.js with the files of the home page and a version that differs between builds.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** `root` is the folder of the project. */
export function serviceWorker({ root }) {
  const publicFolder = join(root, 'src/web/public');
  return {
    name: 'service-worker',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const publicFiles = readdirSync(publicFolder).sort();
        const files = [
          '',
          ...publicFiles.filter((name) => !name.endsWith('-512.png')),
          ...shellFiles(bundle),
        ];
        const hash = createHash('sha256');
        for (const name of Object.keys(bundle).sort()) hash.update(`${name}\n`);
        for (const name of publicFiles) hash.update(readFileSync(join(publicFolder, name)));
        hash.update(String(bundle['index.html']?.source ?? ''));
        const source = readFileSync(join(root, 'tools/service-worker.js'), 'utf8');
        hash.update(source);
        const build = { version: hash.digest('hex').slice(0, 16), files };
        this.emitFile({
          type: 'asset',
          fileName: 'service-worker.js',
          source: `const build = ${JSON.stringify(build)};\n${source}`,
        });
      },
    },
  };
}

/** Files that the home page loads: the entry with its imports and styles, and the texts that it needs in each language. */
function shellFiles(bundle) {
  const names = new Set();
  const visit = (name) => {
    const chunk = bundle[name];
    if (names.has(name) || chunk?.type !== 'chunk') return;
    names.add(name);
    for (const style of chunk.viteMetadata?.importedCss ?? []) names.add(style);
    for (const imported of chunk.imports) visit(imported);
  };
  for (const [name, chunk] of Object.entries(bundle)) {
    const isCatalogue = /\/locales\/[\w-]+\.json\?first$/.test(chunk.facadeModuleId ?? '');
    if (chunk.isEntry || isCatalogue) visit(name);
  }
  return [...names].sort();
}
