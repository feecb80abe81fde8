import type { Picture } from '../core/records.ts';
import type { PictureSize } from '../engine/engine.ts';

/** The address of one size of a picture. It stays the same as long as the picture is there. */
export const pictureAddress = ({ name }: Pick<Picture, 'name'>, size: PictureSize): string =>
  `/api/pictures/${name}-${size}.jpg`;
