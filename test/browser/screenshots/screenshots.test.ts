import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Camera, createCamera } from './camera.ts';
import { reduce, takeExpected, takeStable } from './compare.ts';
import { shotName, shots } from './shots.ts';

/** Largest share of pixels that may differ. */
const tolerance = 0.002;

/** The limit of all pictures in the repository, bytes. */
const mostBytes = 4 * 1024 * 1024;

const renewCommand =
  'TAPSTER_WRITE_SCREENSHOTS=1 npm run test:browser -- test/browser/screenshots/screenshots';
const isRenewing = Boolean(process.env.TAPSTER_WRITE_SCREENSHOTS);

const baselines = join(import.meta.dirname, 'baseline');
const baselineFile = (name: string) => join(baselines, `${name}.png`);

/** Where pictures of failed comparisons are kept; the folder of the test run is removed at its end. */
const failures = process.env.TAPSTER_SCREENSHOT_FAILURES ?? '/tmp/tapster-screenshots';

/** Removes pictures that are no longer in the list. The others are kept, since a filter may renew only some. */
function removeOthers(names: readonly string[]) {
  for (const file of readdirSync(baselines)) if (!names.includes(file)) rmSync(join(baselines, file));
}

let camera: Camera;

beforeAll(async () => {
  mkdirSync(baselines, { recursive: true });
  if (isRenewing) removeOthers(shots.map((shot) => `${shotName(shot)}.png`));
  camera = await createCamera();
});
afterAll(() => camera.close());

test.each(shots.map((shot) => [shotName(shot), shot] as const))('%s looks as before', async (name, shot) => {
  const take = await camera.aim(shot);
  if (isRenewing) {
    writeFileSync(baselineFile(name), await reduce(await takeStable(take)));
    return;
  }
  expect(existsSync(baselineFile(name)), `no picture of ${name}: ${renewCommand}`).toBe(true);
  const expected = readFileSync(baselineFile(name));
  const { share, picture, actual } = await takeExpected(take, { expected, tolerance });
  if (share <= tolerance) return;
  mkdirSync(failures, { recursive: true });
  writeFileSync(join(failures, `${name}.actual.png`), actual);
  writeFileSync(join(failures, `${name}.difference.png`), picture);
  expect.fail(
    `${(share * 100).toFixed(2)} % of ${name} differ. Look at ${failures}/${name}.difference.png; if it is meant to: ${renewCommand}`,
  );
});

test('the pictures are those of the list, each once, and small together', () => {
  const names = shots.map(shotName);
  expect(new Set(names).size).toBe(names.length);
  const files = readdirSync(baselines);
  expect(files.toSorted()).toEqual(names.map((name) => `${name}.png`).toSorted());
  const bytes = files.map((file) => readFileSync(join(baselines, file)).length);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(mostBytes);
});
