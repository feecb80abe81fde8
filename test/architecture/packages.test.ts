import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { productDirectory } from '../../src/system/product.ts';
import { parseImports } from './import-rules.ts';

const read = (file: string) => readFileSync(join(productDirectory, file), 'utf8');

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
}
const { packages } = JSON.parse(read('package-lock.json')) as {
  packages: Readonly<Record<string, LockedPackage>>;
};
const foreign = Object.entries(packages).filter(([path]) => path !== '');

test('every package is pinned to one version and checksum', () => {
  expect(foreign.length).toBeGreaterThan(50);
  const loose = foreign.filter(
    ([, { version, integrity }]) =>
      !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version ?? '') || !integrity?.startsWith('sha512-'),
  );
  expect(loose).toEqual([]);
});

test('package-lock.json names no registry, which is a setting of npm', () => {
  expect(foreign.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  expect(read('.npmrc')).not.toMatch(/registry\s*=|\/\//);
});

test('THIRD-PARTY.md lists the present licences and install scripts', () => {
  const printed = spawnSync(process.execPath, [join(productDirectory, 'tools/third-party.mjs'), '--print'], {
    encoding: 'utf8',
  });
  expect(printed.stderr).toBe('');
  expect(read('THIRD-PARTY.md')).toBe(printed.stdout);
});

test('libraries with native code for hardware that most bars do not have are loaded on first use', () => {
  const uses = readdirSync(join(productDirectory, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) =>
      parseImports(read(join('src', file)))
        .filter(({ target, isTypeOnly }) => !isTypeOnly && ['koffi', 'serialport'].includes(target))
        .map(({ isStatic }) => ({ file, isStatic })),
    );
  expect(uses.length).toBeGreaterThan(2);
  expect(uses.filter(({ isStatic }) => isStatic)).toEqual([]);
});
