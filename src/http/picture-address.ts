import type { Picture } from '../core/records.ts';
import type { PictureSize } from '../engine/engine.ts';

/** Returns the URL of one size of a picture. It never changes while the picture exists. */
export const pictureAddress = ({ name }: Pick<Picture, 'name'>, size: PictureSize): string =>
  `/api/pictures/${name}-${size}.jpg`;
