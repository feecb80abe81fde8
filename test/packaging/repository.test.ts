import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { productDirectory } from '../../src/system/product.ts';

const programs = ['dpkg-deb', 'apt-get', 'gpg', 'gpgv'];
const missing = programs.filter((name) => spawnSync(name, ['--version']).error !== undefined);
/** The checks set the variable, so that a missing program is no reason to skip there. */
const isTested = missing.length === 0 || process.env.TAPSTER_REQUIRE_GPG === '1';
if (!isTested) console.error(`The apt repository is not tested: ${missing.join(', ')} is missing.`);

/** A small package, a key of its own, and an apt that uses only this repository. */
function repository() {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-repository-'));
  const gnupg = join(folder, 'gnupg');
  onTestFinished(() => {
    spawnSync('gpgconf', ['--homedir', gnupg, '--kill', 'all']);
    rmSync(folder, { recursive: true, force: true });
  });
  mkdirSync(gnupg, { mode: 0o700 });
  const env = { ...process.env, GNUPGHOME: gnupg, LC_ALL: 'C' };
  const makeKey = (name: string, algorithm = 'ed25519') => {
    const options = ['--batch', '--quiet', '--passphrase', '', '--pinentry-mode', 'loopback'];
    execFileSync('gpg', [...options, '--quick-generate-key', name, algorithm, 'sign', 'never'], {
      env,
      stdio: 'ignore',
    });
  };
  const addPackage = (version: string, content = version, architecture = 'amd64') => {
    const tree = join(folder, 'tree');
    rmSync(tree, { recursive: true, force: true });
    mkdirSync(join(tree, 'DEBIAN'), { recursive: true });
    mkdirSync(join(tree, 'usr'));
    writeFileSync(join(tree, 'usr/content'), content);
    writeFileSync(
      join(tree, 'DEBIAN/control'),
      `Package: tapster\nVersion: ${version}\nArchitecture: ${architecture}\nMaintainer: A <a@example.org>\nDescription: taps\n`,
    );
    mkdirSync(join(folder, 'packages'), { recursive: true });
    const file = join(folder, 'packages', `tapster_${version}_${architecture}.deb`);
    execFileSync('dpkg-deb', ['--root-owner-group', '-Zgzip', '--build', tree, file], { stdio: 'ignore' });
  };
  const out = join(folder, 'repository');
  const make = (key: string) => {
    const options = [
      '--key',
      key,
      '--url',
      `file:${out}`,
      '--packages',
      join(folder, 'packages'),
      '--out',
      out,
    ];
    const script = join(productDirectory, 'packaging/repository/make.mjs');
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...options], {
      env,
      encoding: 'utf8',
    });
    return { code: status, out: stdout, err: stderr };
  };

  const apt = (...args: string[]) => {
    const root = join(folder, 'apt');
    for (const part of [
      'etc/apt/sources.list.d',
      'etc/apt/preferences.d',
      'var/lib/apt/lists/partial',
      'var/cache/apt/archives/partial',
      'var/lib/dpkg',
      'downloads',
    ])
      mkdirSync(join(root, part), { recursive: true });
    writeFileSync(join(root, 'var/lib/dpkg/status'), '');
    copyFileSync(join(out, 'tapster.gpg'), join(root, 'tapster.gpg'));
    const source = readFileSync(join(out, 'tapster.sources'), 'utf8');
    writeFileSync(
      join(root, 'etc/apt/sources.list.d/tapster.sources'),
      source.replace('/usr/share/keyrings/tapster.gpg', join(root, 'tapster.gpg')),
    );
    const settings = [
      `Dir::Etc=${root}/etc/apt`,
      `Dir::State=${root}/var/lib/apt`,
      `Dir::State::status=${root}/var/lib/dpkg/status`,
      `Dir::Cache=${root}/var/cache/apt`,
      'APT::Architecture=amd64',
      'APT::Architectures::=amd64',
      'APT::Sandbox::User=root',
      'Acquire::Languages=none',
      'APT::Update::Error-Mode=any',
    ].flatMap((one) => ['-o', one]);
    const options = { cwd: join(root, 'downloads'), env, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync('apt-get', [...settings, ...args], options);
    return { code: status, out: stdout, err: stderr, downloads: readdirSync(join(root, 'downloads')) };
  };
  return { out, makeKey, addPackage, make, apt };
}

describe.runIf(isTested)('the apt repository', () => {
  test('apt accepts its signature and downloads the newest version', () => {
    const { makeKey, addPackage, make, apt, out } = repository();
    makeKey('packages@example.org');
    addPackage('0.1.0');
    addPackage('0.1.0', 'for a Pi', 'arm64');
    expect(make('packages@example.org')).toMatchObject({ code: 0, err: '' });
    addPackage('0.2.0');
    addPackage('0.2.0~rc.1');
    expect(make('packages@example.org')).toMatchObject({ code: 0, err: '' });
    expect(apt('update')).toMatchObject({ code: 0, err: '' });
    const { code, downloads } = apt('download', 'tapster');
    expect([code, downloads]).toEqual([0, ['tapster_0.2.0_amd64.deb']]);
    const release = readFileSync(join(out, 'dists/stable/InRelease'), 'utf8');
    for (const line of [
      'Origin: Tapster',
      'Label: Tapster',
      'Suite: stable',
      'Codename: stable',
      'Acquire-By-Hash: yes',
    ])
      expect(release).toMatch(new RegExp(`^${line}$`, 'm'));
    expect(release).not.toMatch(/Valid-Until/);
    expect(readFileSync(join(out, 'dists/stable/main/binary-arm64/Packages'), 'utf8')).toMatch(
      /^Version: 0\.1\.0$/m,
    );
    // The indexes of the state before are still there.
    expect(readdirSync(join(out, 'dists/stable/main/binary-amd64/by-hash/SHA256'))).toHaveLength(4);
  });

  test('apt refuses a changed index and another key', () => {
    const { makeKey, addPackage, make, apt, out } = repository();
    makeKey('packages@example.org');
    makeKey('somebody@example.org');
    addPackage('0.1.0');
    make('packages@example.org');
    const own = readFileSync(join(out, 'tapster.gpg'));
    make('somebody@example.org');
    writeFileSync(join(out, 'tapster.gpg'), own);
    expect(apt('update')).toMatchObject({ code: 100, err: expect.stringMatching(/NO_PUBKEY|not available/) });
    make('packages@example.org');
    const index = join(out, 'dists/stable/InRelease');
    writeFileSync(index, readFileSync(index, 'utf8').replace('Label: Tapster', 'Label: Other'));
    rmSync(join(out, 'dists/stable/Release.gpg'));
    expect(apt('update').code).toBe(100);
  });

  test('a version that was published is not replaced by another content', () => {
    const { makeKey, addPackage, make, out } = repository();
    makeKey('packages@example.org');
    addPackage('0.1.0');
    make('packages@example.org');
    addPackage('0.1.0', 'another build');
    const { code, err } = make('packages@example.org');
    expect(code).toBe(1);
    expect(err).toMatch(/published already with another content/);
    expect(existsSync(join(out, 'dists/stable/InRelease'))).toBe(true);
  });

  test('a key that Debian 13 refuses signs nothing', () => {
    const { makeKey, addPackage, make, out } = repository();
    makeKey('old@example.org', 'rsa2048');
    addPackage('0.1.0');
    expect(make('old@example.org')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/neither Ed25519 nor RSA/),
    });
    expect(existsSync(join(out, 'dists/stable'))).toBe(false);
  });

  test('without a key the command says what is missing', () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(productDirectory, 'packaging/repository/make.mjs')],
      {
        encoding: 'utf8',
      },
    );
    expect([status, stderr]).toEqual([64, expect.stringMatching(/^--key is missing/)]);
  });
});
