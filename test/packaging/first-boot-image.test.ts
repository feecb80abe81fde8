import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';

const isInstalled = ['mcopy', 'mkfs.vfat'].every((name) => spawnSync(name, ['--help']).error === undefined);
/** False on a developer's machine without mtools and dosfstools; the checks set the variable and always run it. */
const hasTools = isInstalled || process.env.TAPSTER_REQUIRE_MTOOLS === '1';
if (!hasTools) console.warn('mtools or dosfstools is not installed, so the image of the card is not tested.');

const sectorBytes = 512;
const bootSector = 2_048;
const bootSectors = 20_480;
const rootBytes = 'the operating system';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** An image with the layout of Raspberry Pi OS (a FAT partition and one for the system), and a package. */
function bareImage({ type = 0x0c } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-image-'));
  folders.push(folder);
  const fat = join(folder, 'fat.img');
  writeFileSync(fat, Buffer.alloc(bootSectors * sectorBytes));
  execFileSync('mkfs.vfat', ['-n', 'bootfs', fat], { stdio: 'ignore' });
  writeFileSync(join(folder, 'user-data'), '#cloud-config\nhostname: bar\n');
  execFileSync('mcopy', ['-i', fat, join(folder, 'user-data'), '::user-data']);
  const image = join(folder, 'raspios.img');
  const table = Buffer.alloc(sectorBytes);
  table[446 + 4] = type;
  table.writeUInt32LE(bootSector, 446 + 8);
  table.writeUInt32LE(bootSectors, 446 + 12);
  table.writeUInt16LE(0xaa55, 510);
  const file = openSync(image, 'w');
  writeSync(file, table, 0, sectorBytes, 0);
  writeSync(file, readFileSync(fat), 0, bootSectors * sectorBytes, bootSector * sectorBytes);
  writeSync(file, rootBytes, (bootSector + bootSectors) * sectorBytes);
  closeSync(file);
  const debianPackage = join(folder, 'tapster_1.2.3_arm64.deb');
  writeFileSync(debianPackage, 'a package');
  return { folder, image, debianPackage, out: join(folder, 'out') };
}

const makeImage = (...options: string[]) =>
  spawnSync(process.execPath, ['packaging/first-boot/make-image.mjs', '--date', '2026-11-24', ...options], {
    encoding: 'utf8',
  });

const required = ({ image, debianPackage, out }: ReturnType<typeof bareImage>) => [
  ...['--image', image, '--package', debianPackage, '--out', out],
  ...['--address', 'https://bar.example/tapster/'],
];

/** A file of the boot partition of the image that was made. */
function onBootPartition(out: string, name: string): string {
  const image = join(out, 'tapster-1.2.3-raspios-arm64.img');
  return execFileSync('mtype', ['-i', `${image}@@${bootSector * sectorBytes}`, `::${name}`], {
    encoding: 'utf8',
  });
}

describe.skipIf(!hasTools)('the image of a card', () => {
  test('holds package, script and choices on the boot partition, and what was there before', () => {
    const bare = bareImage();
    expect(makeImage(...required(bare))).toMatchObject({ status: 0, stderr: '' });
    execFileSync('unxz', ['--keep', join(bare.out, 'tapster-1.2.3-raspios-arm64.img.xz')]);
    expect(onBootPartition(bare.out, 'tapster_1.2.3_arm64.deb')).toBe('a package');
    expect(onBootPartition(bare.out, 'vendor-data')).toBe(
      readFileSync('packaging/first-boot/vendor-data', 'utf8'),
    );
    expect(onBootPartition(bare.out, 'tapster.conf')).toMatch(/^one_wire=yes$/m);
    expect(onBootPartition(bare.out, 'user-data')).toMatch(/hostname: bar/);
    const bytes = readFileSync(join(bare.out, 'tapster-1.2.3-raspios-arm64.img'));
    expect(bytes.subarray((bootSector + bootSectors) * sectorBytes).toString()).toBe(rootBytes);
  });

  test('is described to Raspberry Pi Imager with sizes and hashes of the real files', () => {
    const bare = bareImage();
    makeImage(...required(bare));
    const download = readFileSync(join(bare.out, 'tapster-1.2.3-raspios-arm64.img.xz'));
    execFileSync('unxz', [join(bare.out, 'tapster-1.2.3-raspios-arm64.img.xz')]);
    const image = readFileSync(join(bare.out, 'tapster-1.2.3-raspios-arm64.img'));
    const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
    const manifest = JSON.parse(readFileSync(join(bare.out, 'tapster.rpi-imager-manifest'), 'utf8'));
    expect(manifest.os_list).toEqual([
      {
        name: 'Tapster 1.2.3',
        description: expect.any(String),
        icon: 'https://bar.example/tapster/tapster.svg',
        url: 'https://bar.example/tapster/tapster-1.2.3-raspios-arm64.img.xz',
        website: 'https://bar.example/tapster/',
        extract_size: image.length,
        extract_sha256: sha256(image),
        image_download_size: download.length,
        image_download_sha256: sha256(download),
        release_date: '2026-11-24',
        devices: ['pi5-64bit', 'pi4-64bit', 'pi3-64bit'],
        init_format: 'cloudinit-rpi',
        architecture: 'armv8',
        capabilities: ['i2c', 'onewire', 'serial', 'spi'],
      },
    ]);
  });

  test('names the repository of updates and holds its key', () => {
    const bare = bareImage();
    const key = join(bare.folder, 'key.gpg');
    writeFileSync(key, 'a key');
    const { status } = makeImage(...required(bare), '--key', key, '--repository', 'https://apt.example/');
    expect(status).toBe(0);
    execFileSync('unxz', [join(bare.out, 'tapster-1.2.3-raspios-arm64.img.xz')]);
    expect(onBootPartition(bare.out, 'tapster.gpg')).toBe('a key');
    expect(onBootPartition(bare.out, 'tapster.conf')).toMatch(/^repository=https:\/\/apt\.example\/$/m);
  });

  test.each([
    ['a repository without its key', ['--repository', 'https://apt.example/'], /--key and --repository/],
    ['an address that is a file', ['--address', 'https://bar.example/image.img'], /ends with "\/"/],
    ['a package of another form', ['--package', 'tapster.deb'], /tapster_<version>_arm64\.deb/],
  ])('is not made with %s', (_, options, message) => {
    const { status, stderr } = makeImage(...required(bareImage()), ...options);
    expect(status).toBe(64);
    expect(stderr).toMatch(message);
  });

  test('is not made of an image without a FAT partition', () => {
    const { status, stderr } = makeImage(...required(bareImage({ type: 0x83 })));
    expect(status).toBe(64);
    expect(stderr).toMatch(/not FAT/);
  });
});

test('the script of the first boot and the scripts it writes are valid for the shell', () => {
  const script = readFileSync('packaging/first-boot/vendor-data', 'utf8');
  const written = [...script.matchAll(/<<'SCRIPT'\n([\s\S]*?)\nSCRIPT\n/g)].map(([, text = '']) => text);
  expect(written).toHaveLength(3);
  for (const text of [script, ...written]) {
    const { status, stderr } = spawnSync('sh', ['-n'], { input: text, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  }
});
