// Native programs and libraries of the package: stripped, and checked for the right processor and C library.
import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';

/** `e_machine` of an ELF file. */
const machines = { arm64: 183, amd64: 62 };

/** `p_type` of a part that is loaded. */
const loaded = 1;

/** Version of the C library of Raspberry Pi OS 12, the oldest supported one. */
const newestLibc = [2, 36];

/** The memory pages of a Pi 5; a library whose parts are aligned to less cannot be loaded there. */
const pageBytes = { arm64: 16_384, amd64: 4_096 };

/** Programs that can strip files of any processor, or of one. */
const strippers = {
  arm64: ['llvm-strip', 'aarch64-linux-gnu-strip'],
  amd64: ['llvm-strip', 'x86_64-linux-gnu-strip'],
};

/** All ELF files below a folder. */
export function listBinaries(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter(isElf)
    .sort();
}

function isElf(path) {
  const bytes = Buffer.alloc(4);
  const file = openSync(path, 'r');
  try {
    return readSync(file, bytes) === 4 && bytes.toString('latin1') === '\x7fELF';
  } finally {
    closeSync(file);
  }
}

/**
 * Faults of the ELF files below a folder: another processor, parts that cannot be mapped into memory, or a newer C library than
 * the oldest supported system has.
 */
export function binaryFaults(folder, architecture) {
  return listBinaries(folder).flatMap((path) => {
    const bytes = readFileSync(path);
    const machine = bytes.readUInt16LE(18);
    if (machine !== machines[architecture])
      return [`${path} is for processor ${machine}, not ${machines[architecture]} (${architecture}).`];
    const alignment = smallestAlignment(bytes);
    if (alignment < pageBytes[architecture])
      return [`${path} is aligned to ${alignment} bytes, but a page may have ${pageBytes[architecture]}.`];
    const needed = newestVersion(bytes.toString('latin1'));
    return isNewer(needed, newestLibc) ? [`${path} needs glibc ${needed.join('.')}.`] : [];
  });
}

/** The smallest alignment of the parts of a 64-bit ELF file that are loaded. */
function smallestAlignment(bytes) {
  const table = Number(bytes.readBigUInt64LE(32));
  const [entryBytes, count] = [bytes.readUInt16LE(54), bytes.readUInt16LE(56)];
  const alignments = Array.from({ length: count }, (_, index) => table + index * entryBytes)
    .filter((at) => bytes.readUInt32LE(at) === loaded)
    .map((at) => Number(bytes.readBigUInt64LE(at + 48)));
  return Math.min(...alignments);
}

function newestVersion(text) {
  const versions = [...text.matchAll(/GLIBC_(\d+)\.(\d+)/g)].map(([, a, b]) => [Number(a), Number(b)]);
  return versions.reduce((newest, one) => (isNewer(one, newest) ? one : newest), [0, 0]);
}

const isNewer = ([a, b], [c, d]) => a > c || (a === c && b > d);

/** Removes symbols; returns the name and version of the program that did, or null where none is installed. */
export function stripBinaries(folder, architecture) {
  const stripper = strippers[architecture].find((name) => spawnSync(name, ['--version']).status === 0);
  if (stripper === undefined) return null;
  for (const path of listBinaries(folder)) execFileSync(stripper, ['--strip-unneeded', path]);
  const version = execFileSync(stripper, ['--version'], { encoding: 'utf8' });
  return `${stripper} ${/\d+\.\d+(?:\.\d+)?/.exec(version)?.[0] ?? ''}`.trim();
}
