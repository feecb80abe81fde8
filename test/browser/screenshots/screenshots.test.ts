import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserCases } from '../kit/browser-cases.ts';
import { type Camera, createCamera } from './camera.ts';
import { reduce, takeExpected, takeStable } from './compare.ts';
import { type Shot, shotName } from './shot.ts';
import { shots as shotsOfBase } from './shots.ts';

/** Largest share of pixels that may differ. */
const tolerance = 0.002;

/** The limit of all pictures in the repository, bytes. */
const mostBytes = 4 * 1024 * 1024;

const renewCommand =
  'TAPSTER_WRITE_SCREENSHOTS=1 npm run test:browser -- test/browser/screenshots/screenshots';
const isRenewing = Boolean(process.env.TAPSTER_WRITE_SCREENSHOTS);

/** The shots of the base and of each extension, with the folders of their pictures. */
const sets: readonly { readonly baselines: string; readonly shots: readonly Shot[] }[] = [
  { baselines: join(import.meta.dirname, 'baseline'), shots: shotsOfBase },
  ...browserCases.flatMap(({ folder, shots = [] }) =>
    shots.length === 0 ? [] : [{ baselines: join(folder, 'baseline'), shots }],
  ),
];

const allShots = sets.flatMap(({ baselines, shots }) =>
  shots.map((shot) => {
    const name = shotName(shot);
    return [name, shot, join(baselines, `${name}.png`)] as const;
  }),
);

/** Where pictures of failed comparisons are kept; the folder of the test run is removed at its end. */
const failures = process.env.TAPSTER_SCREENSHOT_FAILURES ?? '/tmp/tapster-screenshots';

/** Removes pictures that are no longer in the list. The others are kept, since a filter may renew only some. */
function removeOthers(baselines: string, shots: readonly Shot[]) {
  const names = shots.map((shot) => `${shotName(shot)}.png`);
  for (const file of readdirSync(baselines)) if (!names.includes(file)) rmSync(join(baselines, file));
}

let camera: Camera;

beforeAll(async () => {
  for (const { baselines, shots } of sets) {
    mkdirSync(baselines, { recursive: true });
    if (isRenewing) removeOthers(baselines, shots);
  }
  camera = await createCamera();
});
afterAll(() => camera.close());

test.each(allShots)('%s looks as before', async (name, shot, baseline) => {
  const take = await camera.aim(shot);
  if (isRenewing) {
    writeFileSync(baseline, await reduce(await takeStable(take)));
    return;
  }
  expect(existsSync(baseline), `no picture of ${name}: ${renewCommand}`).toBe(true);
  const expected = readFileSync(baseline);
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
  expect(new Set(allShots.map(([name]) => name)).size).toBe(allShots.length);
  const files = sets.flatMap(({ baselines }) => readdirSync(baselines).map((name) => join(baselines, name)));
  expect(files.toSorted()).toEqual(allShots.map(([, , file]) => file).toSorted());
  const bytes = files.map((file) => readFileSync(file).length);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(mostBytes);
});
