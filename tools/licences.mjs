// Adds the licences of bundled packages to the bundle: most licences require that their notice is
// distributed.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';

/** Names of licence files. */
const licenceFile = /^(?:licen[cs]e|copying)(?:[-.].*)?$/i;

/** Names of notice files, which some licences require as well. */
const noticeFile = /^notice(?:\..*)?$/i;

/** Where a licence text continues with packages bundled by that package, none of which are in this bundle. */
const endOf = new Map([['vite', '\n# Licenses of bundled dependencies']]);

/** Separator between two packages; fixed, since programs parse the file. */
export const rule = '='.repeat(78);

/**
 * A Vite plugin that adds `licences.txt` to a bundle with code from node_modules: name, version and full
 * licence of each package. `own` lists the folders of the project's own modules. The build fails when a package
 * has no licence text.
 */
export function licences({ root, own }) {
  return {
    name: 'licences',
    generateBundle(_options, bundle) {
      const texts = packagesIn(bundle, { root, own }).map(licenceOf).sort();
      if (texts.length === 0) return;
      const source = [preface, ...texts].join(`\n${rule}\n`);
      this.emitFile({ type: 'asset', fileName: 'licences.txt', source });
    },
  };
}

const preface = 'The files in this folder contain code of these packages.\n';

/** Folders of all packages with code in the bundle. */
function packagesIn(bundle, { root, own }) {
  const folders = new Set();
  for (const part of Object.values(bundle)) {
    for (const [id, { renderedLength }] of Object.entries(part.modules ?? {})) {
      // Style sheets are extracted and have no rendered script.
      const isThere = renderedLength > 0 || /\.css(?:\?|$)/.test(id);
      if (isThere && !own.some((path) => id.startsWith(path + sep))) folders.add(folderOf(id, root));
    }
  }
  return [...folders];
}

/** The folder of a module's package; a virtual module names its package before the slash. */
function folderOf(id, root) {
  const inFolder = /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(id)?.[1];
  if (inFolder !== undefined) return inFolder;
  const maker = /^\0((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1];
  const folder = join(root, 'node_modules', maker ?? '');
  if (maker !== undefined && existsSync(join(folder, 'package.json'))) return folder;
  throw new Error(
    `The bundle holds ${JSON.stringify(id)}, whose licence is unknown. Add a rule to tools/licences.mjs.`,
  );
}

function licenceOf(folder) {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const licence = textsIn(folder, licenceFile).map((text) => text.split(endOf.get(name))[0].trim());
  if (licence.join('') === '')
    throw new Error(
      `${name} ${version} is bundled but has no licence text, which every copy must include. Choose another package.`,
    );
  return `${[`${name} ${version}`, ...licence, ...textsIn(folder, noticeFile)].join('\n\n')}\n`;
}

/** The texts of the matching files in a folder, ordered by name. */
const textsIn = (folder, names) =>
  readdirSync(folder)
    .filter((name) => names.test(name) && statSync(join(folder, name)).isFile())
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim());
