// npm run package [-- --arch arm64,amd64] [-- --version 1.2.3] [-- --out FOLDER] [-- --fast]
//
// Makes tapster_<version>_<arch>.deb and .tar.gz of the commit that is checked out, in dist-packages. Changes that are not
// committed are not in them. The same commit gives the same bytes. --fast compresses little, for tests.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { packDeb, packTar, requireXz, setTimes, sha256 } from './archives.mjs';
import { debianVersion, makeDebianTree, makePlainTree, payloadFolder } from './debian-tree.mjs';
import { makePayload, tryPayload } from './payload.mjs';
import { npmProcessors } from './pinned.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** Limits of a package, bytes. */
const limits = {
  download: 36 * 2 ** 20,
  installed: 180 * 2 ** 20,
};

const { values } = parseArgs({
  options: {
    arch: { type: 'string', default: 'arm64,amd64' },
    version: { type: 'string' },
    out: { type: 'string', default: 'dist-packages' },
    fast: { type: 'boolean', default: false },
  },
});
const architectures = values.arch.split(',');
for (const one of architectures)
  if (!(one in npmProcessors))
    throw new Error(
      `There is no package for ${one}; there is one for ${Object.keys(npmProcessors).join(' and ')}.`,
    );
if (!values.fast) requireXz();

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const commit = git('rev-parse', 'HEAD');
const epoch = Number(process.env.SOURCE_DATE_EPOCH ?? git('log', '-1', '--format=%ct'));
if (git('status', '--porcelain', '--untracked-files=no') !== '')
  console.log('Note: the changes that are not committed are not in the package.');

const work = mkdtempSync(join(tmpdir(), 'tapster-package-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
// The modes of files do not depend on the person who builds.
process.umask(0o022);

const mib = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
const startMs = Date.now();
const say = (text) =>
  console.log(`${String(Math.round((Date.now() - startMs) / 1_000)).padStart(4)} s  ${text}`);
const source = join(work, 'source');
say(`Building commit ${commit.slice(0, 12)}`);
buildSource();
const version = values.version ?? JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')).version;
const out = resolve(root, values.out);
mkdirSync(out, { recursive: true });
const made = [];
for (const architecture of architectures) made.push(...makePackages(architecture));
writeFileSync(
  join(out, 'SHA256SUMS'),
  made
    .sort()
    .map((file) => `${sha256(join(out, file))}  ${file}\n`)
    .join(''),
);
say('Done');

/** The files of the commit, with the daemon and the page built from them. */
function buildSource() {
  mkdirSync(source);
  const archive = join(work, 'source.tar');
  execFileSync('git', ['archive', '--format=tar', '-o', archive, commit], { cwd: root });
  execFileSync('tar', ['-xf', archive, '-C', source]);
  const run = (program, ...args) =>
    execFileSync(program, args, { cwd: source, stdio: ['ignore', 'ignore', 'inherit'] });
  run('npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error');
  run(process.execPath, 'tools/build.mjs', 'daemon', 'page');
}

function makePackages(architecture) {
  const name = `tapster_${debianVersion(version)}_${architecture}`;
  const folder = join(work, architecture);
  const tree = join(folder, 'deb');
  const payload = join(tree, payloadFolder);
  mkdirSync(payload, { recursive: true });
  say(`${architecture}: libraries and Node.js`);
  const timestamp = new Date(epoch * 1_000).toISOString();
  const options = { source, payload, architecture, version, commit, timestamp, scratch: folder };
  const stripper = makePayload(options);
  if (npmProcessors[architecture] === process.arch) tryPayload(payload);
  const size = makeDebianTree({ source, tree, architecture, version, epoch });
  say(
    `${architecture}: packing; symbols ${stripper === null ? 'are kept, no strip is installed' : `removed by ${stripper}`}`,
  );
  setTimes(tree, epoch);
  packDeb(tree, join(folder, `${name}.deb`), { epoch, isFast: values.fast, architecture });
  const plain = join(folder, `tapster-${version}-${architecture}`);
  makePlainTree({ source, tree: plain, payload });
  setTimes(plain, epoch);
  packTar(plain, join(folder, `${name}.tar.gz`), basename(plain), { epoch, isFast: values.fast });
  const files = [`${name}.deb`, `${name}.tar.gz`];
  for (const file of files) moveInto(join(folder, file), join(out, file));
  const download = statSync(join(out, files[0])).size;
  say(`${files[0]}: ${mib(download)} to download, ${mib(size * 1_024)} installed`);
  if (size * 1_024 > limits.installed || (!values.fast && download > limits.download))
    throw new Error(
      `The package is larger than ${mib(limits.download)} to download or ${mib(limits.installed)} installed.`,
    );
  rmSync(folder, { recursive: true });
  return files;
}

function moveInto(from, to) {
  execFileSync('cp', [from, `${to}.new`]);
  renameSync(`${to}.new`, to);
}
