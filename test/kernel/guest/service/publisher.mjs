// The publisher of packages, on the loopback interface of the guest: signs manifests and serves the package.
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { createReadStream, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { onTestEnd } from '../harness.mjs';

const port = 8099;
const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
const request = '/var/lib/tapster/update-request.json';

export function createPublisher() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const url = `http://127.0.0.1:${port}`;
  let source;
  return {
    /** The section `updates` of the settings. */
    settings: {
      manifest_url: `${url}/manifest.json`,
      public_key: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    },
    /** Serves a package until the end of the test. */
    async start(file) {
      const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
      source = { url: `${url}/tapster.deb`, size: statSync(file).size, sha256 };
      const server = http.createServer((_request, response) => createReadStream(file).pipe(response));
      await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
      onTestEnd(() => server.close());
    },
    /** A request for the updater with a signed manifest. */
    sign({ version, serial, sha256 = source.sha256 }) {
      const manifest = Buffer.from(
        JSON.stringify({
          format: 1,
          serial,
          version,
          released_at: '2026-11-24T00:00:00Z',
          notes: { en: 'News' },
          packages: { [architecture]: { ...source, sha256 } },
        }),
      );
      const signature = sign(null, manifest, privateKey).toString('base64');
      return { action: 'install', manifest: manifest.toString('base64'), signature };
    },
    /** Leaves a request, as the daemon does. */
    leave(one) {
      writeFileSync(`${request}.new`, JSON.stringify(one));
      renameSync(`${request}.new`, request);
    },
  };
}
