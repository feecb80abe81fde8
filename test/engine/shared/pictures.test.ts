import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AppErrorCode } from '../../../src/core/app-error.ts';
import { pictureQuotas } from '../../../src/core/files/picture-quota.ts';
import { countUpload } from '../../../src/engine/shared/picture-quota.ts';
import { createRandom } from '../../http/fuzz/random.ts';
import { at, hour, minute, openBar } from '../bar.ts';

let folder: string;
let bar: ReturnType<typeof openBar>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tapster-pictures-'));
  bar = openBar(join(folder, 'tapster.db'));
  bar.engine.users.addUser({ username: 'anna', isStaff: true }, at(0));
  bar.engine.users.addUser({ username: 'bert', isStaff: false }, at(0));
});
afterEach(async () => {
  bar.store.close();
  await rm(folder, { recursive: true });
});

/** Anna, who is staff, or another user, so long after opening. */
const uploader = (username = 'anna', afterMs = 0) => ({
  user: bar.engine.users.user(username)!,
  now: at(afterMs),
});

/** A photo of so many pixels, red above and blue below. */
const photo = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'red' } }).composite([
    {
      input: { create: { width, height: Math.floor(height / 2), channels: 3, background: 'blue' } },
      gravity: 'south',
    },
  ]);

async function upload(bytes: Buffer) {
  const upload = bar.engine.pictures.receive(0);
  await new Promise<void>((done) => upload.stream.end(bytes, done));
  return upload;
}

const inPictures = () => readdirSync(join(folder, 'pictures')).filter((name) => name !== 'incoming');
const incoming = () => readdirSync(join(folder, 'pictures', 'incoming'));

async function refusal(bytes: Buffer): Promise<{ code: AppErrorCode; fields: unknown }> {
  const received = await upload(bytes);
  try {
    await bar.engine.pictures.prepare(received, 'photo', uploader());
  } catch (fault) {
    return fault as { code: AppErrorCode; fields: unknown };
  } finally {
    await received.discard();
  }
  throw new Error('It was taken.');
}

test('a photo becomes two pictures without metadata, in its display orientation', async () => {
  const { engine } = bar;
  const bytes = await photo(2000, 1000)
    .jpeg()
    .withExif({ IFD0: { Artist: 'Anna', Copyright: 'at 48.1374 N' } })
    .withMetadata({ orientation: 6 })
    .toBuffer();
  const received = await upload(bytes);
  const picture = await engine.pictures.prepare(received, 'photo', uploader());
  await received.discard();
  const drink = engine.drinks.pours.report(
    { tap: 'pi.flow0', ticks: 500, pourId: 'p1', picture, source: 'post' },
    at(0),
  );
  await engine.pictures.release(picture);

  expect(engine.pictures.ofDrink(drink.id)).toMatchObject({ name: picture.name, drinkId: drink.id });
  const large = readFileSync(engine.pictures.file(picture.name, 1024)!);
  const about = await sharp(large).metadata();
  expect(about).toMatchObject({ format: 'jpeg', width: 512, height: 1024 });
  expect(about.exif).toBeUndefined();
  expect(about.orientation).toBeUndefined();
  expect(large.includes('Anna')).toBe(false);
  expect(await sharp(engine.pictures.file(picture.name, 128)!).metadata()).toMatchObject({
    width: 128,
    height: 128,
  });
  expect(incoming()).toEqual([]);
  expect(inPictures()).toHaveLength(2);
});

test.each(['png', 'webp', 'gif', 'tiff', 'avif'] as const)('accepts a %s', async (format) => {
  const received = await upload(await photo(64, 48).toFormat(format).toBuffer());
  const picture = await bar.engine.pictures.prepare(received, 'photo', uploader());
  expect(inPictures()).toHaveLength(2);
  await bar.engine.pictures.release(picture);
  expect(inPictures()).toEqual([]);
});

test.each([
  ['a text file', Buffer.from('Hops, malt, yeast')],
  ['nothing', Buffer.alloc(0)],
  [
    'an SVG drawing',
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
    ),
  ],
])('rejects %s and leaves no files', async (_what, bytes) => {
  expect(await refusal(bytes)).toMatchObject({
    code: 'invalid_request',
    fields: { photo: expect.stringContaining('must be a picture') },
  });
  expect(inPictures()).toEqual([]);
  expect(incoming()).toEqual([]);
});

test('rejects half a photo', async () => {
  const bytes = await photo(800, 600).jpeg().toBuffer();
  expect((await refusal(bytes.subarray(0, bytes.length / 2))).code).toBe('invalid_request');
});

test('rejects a decompression bomb', async () => {
  const bomb = await sharp({ create: { width: 9_000, height: 9_000, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  expect(bomb.length).toBeLessThan(2_000_000);
  expect(await refusal(bomb)).toMatchObject({ fields: { photo: 'must have at most 50 megapixels' } });
});

test('a pour reported twice keeps its first picture', async () => {
  const { engine } = bar;
  const report = async () => {
    const received = await upload(await photo(64, 48).png().toBuffer());
    const picture = await engine.pictures.prepare(received, 'photo', uploader());
    await received.discard();
    const drink = engine.drinks.pours.report(
      { tap: 'pi.flow0', ticks: 500, pourId: 'p1', picture, source: 'post' },
      at(0),
    );
    await engine.pictures.release(picture);
    return { picture, drink };
  };
  const first = await report();
  const second = await report();
  expect(second.drink).toEqual(first.drink);
  expect(engine.pictures.ofDrink(first.drink.id)!.name).toBe(first.picture.name);
  expect(inPictures().every((file) => file.startsWith(first.picture.name))).toBe(true);
});

test('a cancelled drink’s picture is hidden at once, and restored with the drink', async () => {
  const { engine } = bar;
  const drink = await drinkWithPicture();
  const { name } = engine.pictures.ofDrink(drink.id)!;
  await engine.pictures.sweep();
  expect(engine.pictures.file(name, 128)).not.toBeNull();
  engine.drinks.cancel(drink.id, { spilled: false }, at(1));
  expect(engine.pictures.file(name, 128)).toBeNull();
  await engine.pictures.sweep();
  engine.drinks.undo(drink.id, {}, at(2));
  expect(engine.pictures.ofDrink(drink.id)?.name).toBe(name);
  expect(engine.pictures.file(name, 128)).not.toBeNull();
  expect(inPictures()).toHaveLength(2);
});

test('the files of a removed picture are gone at once', async () => {
  const { engine } = bar;
  const drink = await drinkWithPicture();
  engine.drinks.removePicture(drink.id, {}, at(1));
  expect(inPictures()).toEqual([]);
});

test('the files of a replaced picture are gone at once', async () => {
  const { engine } = bar;
  const drink = await drinkWithPicture();
  const old = engine.pictures.ofDrink(drink.id)!.name;
  const received = await upload(await photo(64, 48).png().toBuffer());
  const picture = await engine.pictures.prepare(received, 'photo', uploader());
  engine.drinks.putPicture(drink.id, { picture, caption: '' }, at(1));
  expect(inPictures().filter((file) => file.startsWith(old))).toEqual([]);
  expect(inPictures()).toHaveLength(2);
  await engine.pictures.release(picture);
  await received.discard();
  expect(inPictures()).toHaveLength(2);
});

test('the files of a deleted beverage’s picture are gone at once', async () => {
  const { engine } = bar;
  const { id: producerId } = engine.kegs.catalogue.addProducer({ name: 'Hausbrauerei' });
  const { id } = engine.kegs.catalogue.addBeverage({ name: 'Bock', producerId });
  const received = await upload(await photo(64, 48).png().toBuffer());
  const picture = await engine.pictures.prepare(received, 'photo', uploader());
  engine.kegs.catalogue.setPicture({ kind: 'beverage', id }, picture, '');
  await engine.pictures.release(picture);
  await received.discard();
  expect(inPictures()).toHaveLength(2);
  engine.kegs.catalogue.removeBeverage(id);
  expect(inPictures()).toEqual([]);
});

test('a removal that is rolled back leaves the files', async () => {
  const drink = await drinkWithPicture();
  const { store, engine } = bar;
  expect(() =>
    store.transaction(() => {
      store.pictures.remove('drink', drink.id);
      throw new Error('not committed');
    }),
  ).toThrow('not committed');
  store.transaction(() => {});
  expect(engine.pictures.ofDrink(drink.id)).not.toBeNull();
  expect(inPictures()).toHaveLength(2);
});

test('files that a crash left between the commit and their removal are gone at the next sweep', async () => {
  const drink = await drinkWithPicture();
  // Another connection stands for the daemon that ended after its commit.
  const other = new Sqlite(join(folder, 'tapster.db'));
  other.prepare('DELETE FROM pictures WHERE drink_id = ?').run(drink.id);
  other.close();
  expect(inPictures()).toHaveLength(2);
  await bar.engine.pictures.sweep();
  expect(inPictures()).toEqual([]);
});

async function drinkWithPicture() {
  const { engine } = bar;
  const received = await upload(await photo(64, 48).png().toBuffer());
  const picture = await engine.pictures.prepare(received, 'photo', uploader());
  await received.discard();
  const drink = engine.drinks.pours.report({ tap: 'pi.flow0', ticks: 500, picture, source: 'post' }, at(0));
  await engine.pictures.release(picture);
  return drink;
}

test('a sweep deletes files left by a crash, not running uploads', async () => {
  const { engine } = bar;
  await engine.pictures.sweep();
  const coming = engine.pictures.receive(0);
  writeFileSync(join(folder, 'pictures', 'incoming', 'a'.repeat(32)), 'half');
  writeFileSync(join(folder, 'pictures', `${'b'.repeat(32)}-128.jpg`), 'half');
  await new Promise<void>((done) => coming.stream.write('beer', () => done()));
  await engine.pictures.sweep();
  expect(incoming()).toHaveLength(1);
  expect(inPictures()).toEqual([]);
  await coming.discard();
  await coming.discard();
  expect(incoming()).toEqual([]);
});

test('the number of concurrent uploads is limited', async () => {
  const { engine } = bar;
  const uploads = Array.from({ length: 8 }, () => engine.pictures.receive(0));
  expect(() => engine.pictures.receive(0)).toThrow(expect.objectContaining({ code: 'unavailable' }));
  await uploads[0]!.discard();
  const next = engine.pictures.receive(0);
  await Promise.all([...uploads, next].map((one) => one.discard()));
});

test('a picture with a wrong type becomes a plain JPEG or is rejected', async () => {
  const script = '<script>alert(1)</script>';
  for (const lie of [
    `GIF89a${script}`,
    `\xff\xd8\xff\xe0${script}`,
    `%PDF-1.7\n${script}`,
    `<!doctype html>${script}`,
  ]) {
    expect((await refusal(Buffer.from(lie, 'latin1'))).code).toBe('invalid_request');
  }
  // A valid picture followed by HTML, which a browser might interpret.
  const bytes = Buffer.concat([await photo(64, 48).png().toBuffer(), Buffer.from(script)]);
  const received = await upload(bytes);
  const picture = await bar.engine.pictures.prepare(received, 'photo', uploader());
  await received.discard();
  for (const name of inPictures()) {
    const stored = readFileSync(join(folder, 'pictures', name));
    expect(stored.subarray(0, 3).toString('hex')).toBe('ffd8ff');
    expect(stored.includes('script')).toBe(false);
  }
  await bar.engine.pictures.release(picture);
});

test('damaged pictures of every type are accepted or rejected, and leave no files', async () => {
  const chance = createRandom(20_261_121);
  for (const format of ['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'] as const) {
    const bytes = await photo(96, 64).toFormat(format).toBuffer();
    for (let turned = 0; turned < 8; turned++) bytes[chance.below(bytes.length)] = chance.below(256);
    const received = await upload(bytes);
    const outcome = await bar.engine.pictures
      .prepare(received, 'photo', uploader())
      .catch((fault: unknown) => fault);
    await received.discard();
    if (outcome instanceof Error) expect(outcome, format).toMatchObject({ code: 'invalid_request' });
    else await bar.engine.pictures.release(outcome as Parameters<typeof bar.engine.pictures.release>[0]);
    expect(incoming(), format).toEqual([]);
    expect(inPictures(), format).toEqual([]);
  }
});

test('a member may upload 50 pictures within 24 hours, staff more', async () => {
  const bytes = await photo(16, 16).png().toBuffer();
  const send = async (username: string, afterMs: number) => {
    const received = await upload(bytes);
    try {
      await bar.engine.pictures.release(
        await bar.engine.pictures.prepare(received, 'photo', uploader(username, afterMs)),
      );
    } finally {
      await received.discard();
    }
  };
  for (let i = 0; i < pictureQuotas.member.pictures; i++)
    countUpload(bar.store, uploader('bert', i * minute), 1_000);
  await expect(send('bert', hour)).rejects.toMatchObject({
    code: 'too_many',
    retryAfterS: 23 * 3_600,
    reason: { name: 'picture_quota', pictures: 50, megabytes: 100, minutes: 23 * 60 },
  });
  await expect(send('bert', hour)).rejects.toThrow('the next one is possible in 23 hours');
  await send('anna', hour);
  expect(incoming()).toEqual([]);
  await send('bert', 24 * hour);
  await expect(send('bert', 24 * hour)).rejects.toThrow('the next one is possible in 1 minute.');
});

test('bytes of uploads count, also of files that are no pictures', async () => {
  const by = uploader('bert');
  const tenMiB = 10 * 1_048_576;
  for (let i = 0; i < 9; i++) countUpload(bar.store, by, tenMiB);
  bar.engine.pictures.requireQuota(by, tenMiB);
  const received = await upload(Buffer.alloc(1_000));
  await expect(bar.engine.pictures.prepare(received, 'photo', by)).rejects.toMatchObject({
    code: 'invalid_request',
  });
  await received.discard();
  bar.engine.pictures.requireQuota(by, tenMiB - 1_000);
  expect(() => bar.engine.pictures.requireQuota(by, tenMiB)).toThrow(
    expect.objectContaining({ code: 'too_many' }),
  );
});
