import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeSigningKey, PackageServer } from '../kit/package-server.ts';
import {
  filesWithCut,
  makeMachine,
  makeReleases,
  PowerCut,
  quickFiles,
  type TestReleases,
} from './updater-machine.ts';

let releases: TestReleases;
let server: PackageServer;
let machine: ReturnType<typeof makeMachine>;

beforeEach(async () => {
  releases = makeReleases();
  server = await PackageServer.start();
  machine = makeMachine(releases, { source: server.source });
});

afterEach(async () => {
  releases.remove();
  await server.close();
});

const isDownloaded = () => existsSync(join(releases.folder, 'download'));

/** Leaves a request and has the updater work. */
async function ask(): Promise<void> {
  machine.request = server.request;
  await machine.resume();
}

test('a package of a signed manifest is downloaded, installed and tried, and the download deleted', async () => {
  await ask();
  expect(machine.running()).toBe('2.0.0');
  expect(releases.readState()).toMatchObject({
    install: null,
    manifestSerial: 10,
    last: { outcome: 'done', to: '2.0.0' },
  });
  expect(machine.installations).toBe(1);
  expect(isDownloaded()).toBe(false);
});

test('the download sends nothing that identifies the machine', async () => {
  await ask();
  const [{ headers, url, method } = server.requests[0]!] = server.requests;
  expect({ method, url }).toEqual({ method: 'GET', url: '/tapster.deb' });
  expect(headers).toEqual({
    host: server.url.slice('http://'.length),
    connection: 'close',
    'user-agent': 'Tapster',
    accept: '*/*',
  });
});

const other = makeSigningKey();

test.each<[string, string, () => void]>([
  [
    'signed by another key',
    'bad_signature',
    () => {
      server.signer = other.privateKey;
    },
  ],
  [
    'of a version that runs already',
    'not_newer',
    () => {
      server.change = { version: '1.0.0' };
    },
  ],
  [
    'of an older version',
    'not_newer',
    () => {
      server.change = { version: '0.9.0' };
    },
  ],
  [
    'without a package for this processor',
    'no_package',
    () => {
      machine.processor = 'arm';
    },
  ],
])('a manifest %s is refused before anything is downloaded', async (_name, reason, change) => {
  change();
  await ask();
  expect(releases.readState()).toMatchObject({ install: { phase: 'failed', reason }, update: null });
  expect({ requests: server.requests.length, installations: machine.installations }).toEqual({
    requests: 0,
    installations: 0,
  });
  expect(machine.running()).toBe('1.0.0');
});

test('a manifest that is older than one that was used is refused, also when it was signed', async () => {
  const older = server.request;
  server.change = { serial: 11, version: '2.0.0' };
  await ask();
  releases.order('1.0.0', 'rollback');
  machine.request = older;
  await machine.resume();
  machine.request = older;
  await machine.resume();
  expect(releases.readState()).toMatchObject({
    install: { phase: 'failed', reason: 'older_serial' },
    manifestSerial: 11,
  });
  expect(machine.installations).toBe(1);
});

test('a manifest whose bytes were changed after it was signed is refused', async () => {
  const { manifest, ...rest } = server.request;
  const text = Buffer.from(manifest, 'base64').toString().replace('2.0.0', '3.0.0');
  machine.request = { ...rest, manifest: Buffer.from(text).toString('base64') };
  await machine.resume();
  expect(releases.readState().install).toMatchObject({ reason: 'bad_signature', version: '3.0.0' });
});

test('a package that is not the one of the manifest is not installed, and deleted', async () => {
  machine.request = server.request;
  server.package = Buffer.from('the package of version 6.6.6');
  await machine.resume();
  expect(releases.readState().install).toMatchObject({ phase: 'failed', reason: 'wrong_checksum' });
  expect({ installations: machine.installations, isDownloaded: isDownloaded() }).toEqual({
    installations: 0,
    isDownloaded: false,
  });
});

test('a package that is larger than the manifest says is not read to its end', async () => {
  machine.request = server.request;
  server.package = Buffer.alloc(1_000_000);
  await machine.resume();
  expect(releases.readState().install).toMatchObject({
    reason: 'download_failed',
    detail: expect.stringMatching(/more than 28 bytes/),
  });
  expect(isDownloaded()).toBe(false);
});

test('a redirect is not followed', async () => {
  machine.request = server.request;
  server.answer = (_request, response) => {
    response.writeHead(302, { location: `${server.url}/tapster.deb` }).end();
    return true;
  };
  await machine.resume();
  expect(releases.readState().install).toMatchObject({
    reason: 'download_failed',
    detail: 'The server answered with the status 302.',
  });
});

test('a download that breaks off is tried again', async () => {
  let broken = 2;
  server.answer = (_request, response) => {
    if (broken-- <= 0) return false;
    response.writeHead(200, { 'content-length': server.package.length });
    response.write(server.package.subarray(0, 5), () => response.destroy());
    return true;
  };
  await ask();
  expect(machine.running()).toBe('2.0.0');
});

test('nothing is downloaded to a disk that has no space for the package and what is unpacked from it', async () => {
  machine.freeBytes = 200 * 1_048_576;
  await ask();
  expect(releases.readState().install).toMatchObject({
    reason: 'disk_full',
    detail: '210 MB are free on the disk, and 210 MB are needed.',
  });
  expect(server.requests).toEqual([]);
});

test('a package that apt refuses leaves the version that runs', async () => {
  machine.apt = () => false;
  await ask();
  expect(releases.readState().install).toMatchObject({
    phase: 'failed',
    reason: 'install_failed',
    detail: 'apt-get failed.',
  });
  expect(machine.running()).toBe('1.0.0');
});

test('a package whose script does not begin the trial counts as failed', async () => {
  machine.apt = () => true;
  await ask();
  expect(releases.readState().install).toMatchObject({
    reason: 'install_failed',
    detail: expect.stringMatching(/not its trial begun/),
  });
});

test('without address and key in the settings of root nothing is installed', async () => {
  machine = makeMachine(releases);
  await ask();
  expect(releases.readState().install).toMatchObject({ reason: 'settings', detail: 'no settings' });
});

test('a second request while a package is being installed changes nothing', async () => {
  machine.apt = (files) => {
    machine.request = { ...server.request, signature: 'AAAA' };
    return makeMachine(releases).apt(files);
  };
  await ask();
  expect(releases.readState()).toMatchObject({ last: { outcome: 'done', to: '2.0.0' } });
});

test('an installation that never ends is given up', async () => {
  machine.request = server.request;
  machine.apt = () => {
    throw new PowerCut();
  };
  let cuts = 0;
  for (; releases.readState().install?.phase !== 'failed'; cuts++) {
    await machine.resume().catch(() => {});
    machine.cutPower();
    expect(cuts).toBeLessThan(10);
  }
  expect(releases.readState().install).toMatchObject({ reason: 'power_cuts' });
  expect(machine.running()).toBe('1.0.0');
});

test('with a power cut at each change of the disk, an installation ends with a version that runs', async () => {
  const count = filesWithCut(Number.POSITIVE_INFINITY, false);
  machine.request = server.request;
  await machine.resume(count);
  expect(count.changes()).toBeGreaterThan(15);
  const results = new Set<string>();
  for (let cut = 0; cut < count.changes(); cut++) {
    for (const isAfter of [false, true]) {
      releases.reset();
      machine = makeMachine(releases, { source: server.source });
      machine.request = server.request;
      await machine.resume(filesWithCut(cut, isAfter)).catch((fault) => {
        if (!(fault instanceof PowerCut)) throw fault;
      });
      machine.cutPower();
      // The request is lost only if the power was cut before it was stored.
      machine.request = null;
      await machine.resume(quickFiles);
      const { update, install } = releases.readState();
      expect({ cut, isAfter, update, install }).toEqual({ cut, isAfter, update: null, install: null });
      expect(machine.running()).toBe(machine.link());
      expect(isDownloaded()).toBe(false);
      results.add(`${cut + Number(isAfter) < 2 ? 'lost' : 'stored'} ${machine.running()}`);
    }
  }
  expect(results).toEqual(new Set(['lost 1.0.0', 'stored 2.0.0']));
});
