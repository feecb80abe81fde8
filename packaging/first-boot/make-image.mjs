#!/usr/bin/env node
// Adds Tapster to an image of Raspberry Pi OS Lite (64-bit), and writes the list that Raspberry Pi Imager reads.
//
//   node packaging/first-boot/make-image.mjs --image raspios.img --package tapster_0.1.0_arm64.deb --out FOLDER
//     --address https://example.org/tapster/     where the image will be downloaded from
//     [--key tapster.gpg --repository URL]       where apt finds updates
//     [--date 2026-11-24]                        the day of the release; default: today
//
// The files are added to the image's boot partition only, with mtools: no root is needed, and the operating system's own
// partition keeps every byte. Needs the Debian packages mtools and xz-utils.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  createReadStream,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const folder = dirname(fileURLToPath(import.meta.url));
const sectorBytes = 512;
/** Types of FAT partitions in a partition table of DOS form. */
const fatTypes = [0x06, 0x0b, 0x0c, 0x0e];

const { values } = parseArgs({
  options: {
    image: { type: 'string' },
    package: { type: 'string' },
    out: { type: 'string' },
    address: { type: 'string' },
    key: { type: 'string' },
    repository: { type: 'string' },
    date: { type: 'string', default: new Date().toISOString().slice(0, 10) },
  },
});

function refuse(message) {
  process.stderr.write(`${message}\n`);
  process.exit(64);
}

for (const name of ['image', 'package', 'out', 'address'])
  if (!values[name]) refuse(`--${name} is missing; the head of this file explains the options.`);
const version = /^tapster_([0-9][0-9A-Za-z.~+-]*)_arm64\.deb$/.exec(basename(values.package))?.[1];
if (!version) refuse('--package must be called tapster_<version>_arm64.deb.');
if (!/^https?:\/\/[^\s]+\/$/.test(values.address))
  refuse('--address must be a web address that ends with "/".');
if (!/^\d{4}-\d{2}-\d{2}$/.test(values.date)) refuse('--date must be a day like 2026-11-24.');
if ((values.key === undefined) !== (values.repository === undefined))
  refuse('--key and --repository belong together: apt accepts no repository without its key.');

/** The first byte of the boot partition, from the partition table of DOS form in the image's first sector. */
function bootOffset(image) {
  const sector = Buffer.alloc(sectorBytes);
  const file = openSync(image, 'r');
  readSync(file, sector, 0, sectorBytes, 0);
  closeSync(file);
  const first = sector.subarray(446, 462);
  if (sector.readUInt16LE(510) !== 0xaa55 || !fatTypes.includes(first[4]))
    refuse('--image is not an image of Raspberry Pi OS: its first partition is not FAT.');
  return first.readUInt32LE(8) * sectorBytes;
}

/** Adds a file to the boot partition and reads it back: a full partition must not go unnoticed. */
function addFile(drive, source, name) {
  execFileSync('mcopy', ['-o', '-i', drive, source, `::${name}`]);
  const stored = execFileSync('mtype', ['-i', drive, `::${name}`], { maxBuffer: 1 << 30 });
  if (!stored.equals(readFileSync(source))) throw new Error(`${name} differs in the image.`);
}

async function sha256(file) {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest('hex');
}

const work = mkdtempSync(join(tmpdir(), 'tapster-image-'));
try {
  mkdirSync(values.out, { recursive: true });
  const image = join(values.out, `tapster-${version}-raspios-arm64.img`);
  copyFileSync(values.image, image);
  const drive = `${image}@@${bootOffset(image)}`;
  const choices = join(work, 'tapster.conf');
  const text = readFileSync(join(folder, 'tapster.conf'), 'utf8');
  writeFileSync(
    choices,
    values.repository ? text.replace(/^#repository=.*$/m, `repository=${values.repository}`) : text,
  );
  addFile(drive, join(folder, 'vendor-data'), 'vendor-data');
  addFile(drive, choices, 'tapster.conf');
  addFile(drive, values.package, basename(values.package));
  if (values.key) addFile(drive, values.key, 'tapster.gpg');

  const extracted = { size: statSync(image).size, sha256: await sha256(image) };
  // One thread, so that the same image gives the same bytes on every machine.
  execFileSync('xz', ['--force', '--threads=1', '-6', image], { stdio: 'inherit' });
  const download = `${image}.xz`;
  copyFileSync(join(folder, '../../src/web/public/icon.svg'), join(values.out, 'tapster.svg'));
  const manifest = {
    os_list: [
      {
        name: `Tapster ${version}`,
        description: 'Counts the beer of each tap. Raspberry Pi OS Lite (64-bit) with Tapster',
        icon: new URL('tapster.svg', values.address).href,
        url: new URL(basename(download), values.address).href,
        website: values.address,
        extract_size: extracted.size,
        extract_sha256: extracted.sha256,
        image_download_size: statSync(download).size,
        image_download_sha256: await sha256(download),
        release_date: values.date,
        // The names that Imager's own list uses; the Zero 2 W counts as a Pi 3.
        devices: ['pi5-64bit', 'pi4-64bit', 'pi3-64bit'],
        // What Raspberry Pi OS 13 reads: Imager then asks for user, Wi-Fi and host name.
        init_format: 'cloudinit-rpi',
        architecture: 'armv8',
        capabilities: ['i2c', 'onewire', 'serial', 'spi'],
      },
    ],
  };
  writeFileSync(join(values.out, 'tapster.rpi-imager-manifest'), `${JSON.stringify(manifest, null, 2)}\n`);
  process.stdout.write(`${download}\n${join(values.out, 'tapster.rpi-imager-manifest')}\n`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
