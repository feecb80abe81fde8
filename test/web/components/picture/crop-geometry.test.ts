import { expect, test } from 'vitest';
import {
  cropArea,
  croppedSize,
  moveCrop,
  wholePicture,
} from '../../../../src/web/components/picture/crop-geometry.ts';

const photo = { width: 4000, height: 3000 };

test('without zoom a square crop has the height of a wide picture and is in its middle', () => {
  expect(cropArea(photo, 1, wholePicture)).toEqual({ left: 500, top: 0, width: 3000, height: 3000 });
});

test('a 3:4 crop of a tall picture has its width', () => {
  const tall = { width: 900, height: 1600 };
  expect(cropArea(tall, 3 / 4, wholePicture)).toEqual({ left: 0, top: 200, width: 900, height: 1200 });
});

test('zoom 2 shows a quarter of the area', () => {
  expect(cropArea(photo, 1, { ...wholePicture, zoom: 2 })).toEqual({
    left: 1250,
    top: 750,
    width: 1500,
    height: 1500,
  });
});

test('a crop moves by picture pixels and stops at the edges', () => {
  const moved = moveCrop(photo, 1, wholePicture, { x: 100, y: 100 });
  expect(cropArea(photo, 1, moved)).toMatchObject({ left: 600, top: 0 });
  expect(cropArea(photo, 1, moveCrop(photo, 1, moved, { x: 9_000, y: 0 })).left).toBe(1000);
});

test('the uploaded picture is reduced and never enlarged', () => {
  expect(croppedSize({ width: 3000, height: 4000 }, 1024)).toEqual({ width: 768, height: 1024 });
  expect(croppedSize({ width: 300, height: 400 }, 1024)).toEqual({ width: 300, height: 400 });
});
