// npm run sign-manifest -- --key FILE --url https://packages.example.org/tapster/pool/main/t/tapster --notes FOLDER
//                          [--packages FOLDER] [--out FOLDER] [--serial N] [--released YYYY-MM-DDTHH:MM:SSZ]
//
// Writes manifest.json and manifest.json.sig for the packages of a folder: the newest version, what is new in it, and where its packages
// are. --notes is a folder with en.txt and, if wanted, de.txt and so on (plain text); --url is the address of the folder with the packages
// on the web server. The key is an Ed25519 private key (PEM); for an encrypted one set TAPSTER_KEY_PASSPHRASE. It is only read.
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** As src/core/updates/manifest.ts, which refuses what is larger. */
const [maxManifestBytes, maxNotesLength] = [32_768, 4_000];

const { values } = parseArgs({
  options: {
    key: { type: 'string' },
    url: { type: 'string' },
    notes: { type: 'string' },
    packages: { type: 'string', default: 'dist-packages' },
    out: { type: 'string', default: 'dist-packages' },
    // Seconds grow with every manifest and need no list of what was published.
    serial: { type: 'string', default: String(Math.floor(Date.now() / 1_000)) },
    released: { type: 'string', default: `${new Date().toISOString().slice(0, 19)}Z` },
  },
});
for (const name of ['key', 'url', 'notes'])
  if (values[name] === undefined) fail(`--${name} is missing. RELEASING.md has an example.`);
if (!/^https?:\/\/[^\s?#@]+$/.test(values.url))
  fail('--url must be an address without user, query and fragment.');
if (!/^[1-9]\d{0,14}$/.test(values.serial)) fail('--serial must be a whole number above 0.');

const packages = findPackages(resolve(values.packages));
const [{ version }] = Object.values(packages);
const manifest = Buffer.from(
  `${JSON.stringify(
    {
      format: 1,
      serial: Number(values.serial),
      version,
      released_at: values.released,
      notes: readNotes(resolve(values.notes)),
      packages: Object.fromEntries(
        Object.entries(packages).map(([architecture, { source }]) => [architecture, source]),
      ),
    },
    null,
    2,
  )}\n`,
);
if (manifest.length > maxManifestBytes)
  fail(`The manifest has more than ${maxManifestBytes} bytes: shorten the notes.`);
const key = readKey(values.key);
const signature = sign(null, manifest, key);
const publicKey = createPublicKey(key);
if (!verify(null, manifest, publicKey, signature)) fail('The signature is not valid.');
mkdirSync(resolve(values.out), { recursive: true });
put('manifest.json', manifest);
put('manifest.json.sig', `${signature.toString('base64')}\n`);
console.log(`${version}, serial ${values.serial}, for ${Object.keys(packages).join(' and ')}`);
console.log(`updates.public_key: ${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`);

/** The packages of the newest version by architecture; all must be of one version. */
function findPackages(folder) {
  const found = readdirSync(folder).flatMap((name) => {
    const [, debian, architecture] = /^tapster_([^_]+)_(arm64|amd64)\.deb$/.exec(name) ?? [];
    if (debian === undefined) return [];
    const file = join(folder, name);
    const source = {
      url: `${values.url.replace(/\/$/, '')}/${name}`,
      size: statSync(file).size,
      sha256: createHash('sha256').update(readFileSync(file)).digest('hex'),
    };
    return [[architecture, { version: debian.replace('~', '-'), source }]];
  });
  const versions = new Set(found.map(([, one]) => one.version));
  if (versions.size === 0) fail(`There is no package in ${folder}; make them with npm run package.`);
  if (versions.size > 1) fail(`${folder} has packages of several versions: ${[...versions].join(', ')}.`);
  return Object.fromEntries(found);
}

function readNotes(folder) {
  const notes = Object.fromEntries(
    readdirSync(folder)
      .filter((name) => /^[a-z]{2}\.txt$/.test(name))
      .map((name) => [basename(name, '.txt'), readFileSync(join(folder, name), 'utf8').trim()]),
  );
  if (!notes.en) fail(`${folder} has no en.txt.`);
  for (const [language, text] of Object.entries(notes))
    if (text.length > maxNotesLength || /[^\P{Cc}\n]/u.test(text))
      fail(`${language}.txt must be plain text of at most ${maxNotesLength} characters.`);
  return notes;
}

function readKey(file) {
  const key = createPrivateKey({ key: readFileSync(file), passphrase: process.env.TAPSTER_KEY_PASSPHRASE });
  if (key.asymmetricKeyType !== 'ed25519') fail(`${file} is no Ed25519 key.`);
  return key;
}

function put(name, content) {
  const path = join(resolve(values.out), name);
  writeFileSync(`${path}.new`, content);
  renameSync(`${path}.new`, path);
}

function fail(message) {
  console.error(message);
  process.exit(64);
}
