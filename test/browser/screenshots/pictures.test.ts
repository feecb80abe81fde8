import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { createCamera } from './camera.ts';
import { takeStable } from './compare.ts';
import { type Shot, shoot } from './shot.ts';
import { openTapDialog } from './shots.ts';

const root = join(import.meta.dirname, '../../..');
const folder = join(root, 'docs/pictures');
const mostBytes = 150_000;
const renewCommand = 'TAPSTER_WRITE_PICTURES=1 npm run test:browser -- test/browser/screenshots/pictures';

const english = { language: 'en' } as const;

/** The pictures of README and docs by their file names. */
const pictures: Readonly<Record<string, Shot>> = {
  home: shoot('/', ['1440 light'], english)[0]!,
  'tap-dialog': shoot('/', ['390 light'], { ...english, state: 'tap', act: openTapDialog })[0]!,
  kiosk: shoot('/kiosk', ['1920 dark'], { ...english, user: null, isFullScreen: true })[0]!,
  menu: shoot('/menu', ['1024 light'], { ...english, user: null })[0]!,
  'beer-editor': shoot('/beers/1', ['1024 light'], english)[0]!,
  reports: shoot('/reports', ['1024 light'], english)[0]!,
};

test.runIf(process.env.TAPSTER_WRITE_PICTURES)('the pictures of README and docs are taken', async () => {
  mkdirSync(folder, { recursive: true });
  const camera = await createCamera();
  for (const [name, shot] of Object.entries(pictures)) {
    const picture = sharp(await takeStable(await camera.aim(shot))).webp({ quality: 82, effort: 6 });
    writeFileSync(join(folder, `${name}.webp`), await picture.toBuffer());
  }
  await camera.close();
});

test('README and docs show every picture, none of which is large', () => {
  const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  const texts = ['README.md', ...docs.map((name) => `docs/${name}`)].map((name) =>
    readFileSync(join(root, name), 'utf8'),
  );
  expect(readdirSync(folder).toSorted(), renewCommand).toEqual(
    Object.keys(pictures)
      .map((name) => `${name}.webp`)
      .toSorted(),
  );
  for (const name of Object.keys(pictures)) {
    expect(readFileSync(join(folder, `${name}.webp`)).length, name).toBeLessThan(mostBytes);
    expect(
      texts.some((text) => text.includes(`pictures/${name}.webp`)),
      name,
    ).toBe(true);
  }
});
