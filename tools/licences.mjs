// Whoever gets a copy of what was bundled gets the licences with it: most of them demand that their notice goes along.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';

/** What a licence's text is kept under, in whatever form its makers write that. */
const licenceFile = /^(?:licen[cs]e|copying)(?:[-.].*)?$/i;

/** What some licences want to go along besides. */
const noticeFile = /^notice(?:\..*)?$/i;

/** Where a text turns to what that package has bundled for itself, none of which goes on into a bundle of ours. */
const endOf = new Map([['vite', '\n# Licenses of bundled dependencies']]);

/** What parts one package from the next, also for whoever reads the file by program. */
export const rule = '='.repeat(78);

/**
 * A plugin for Vite that lays `licences.txt` beside a bundle which holds code from node_modules: name, version and the
 * whole licence of each package. `own` is the folder of our own modules. Ends the build when there is no such text.
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

const preface = 'Code of these packages is part of what lies beside this file.\n';

/** Folders of all packages that brought at least a line. */
function packagesIn(bundle, { root, own }) {
  const folders = new Set();
  for (const part of Object.values(bundle)) {
    for (const [id, { renderedLength }] of Object.entries(part.modules ?? {})) {
      // Styles go a way of their own and leave nothing in the scripts.
      const isThere = renderedLength > 0 || /\.css(?:\?|$)/.test(id);
      if (isThere && !id.startsWith(own + sep)) folders.add(folderOf(id, root));
    }
  }
  return [...folders];
}

/** The folder of the package that a module is from; a module without a file names its maker before the slash. */
function folderOf(id, root) {
  const inFolder = /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(id)?.[1];
  if (inFolder !== undefined) return inFolder;
  const maker = /^\0((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1];
  const folder = join(root, 'node_modules', maker ?? '');
  if (maker !== undefined && existsSync(join(folder, 'package.json'))) return folder;
  throw new Error(
    `The bundle holds ${JSON.stringify(id)}, and nobody can tell under which licence. Teach tools/licences.mjs.`,
  );
}

function licenceOf(folder) {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const licence = textsIn(folder, licenceFile).map((text) => text.split(endOf.get(name))[0].trim());
  if (licence.join('') === '')
    throw new Error(
      `${name} ${version} is bundled but brings no text of its licence, which must go along with every copy. Choose another package.`,
    );
  return `${[`${name} ${version}`, ...licence, ...textsIn(folder, noticeFile)].join('\n\n')}\n`;
}

/** The texts of those files in a folder, in the order of their names. */
const textsIn = (folder, names) =>
  readdirSync(folder)
    .filter((name) => names.test(name) && statSync(join(folder, name)).isFile())
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim());
