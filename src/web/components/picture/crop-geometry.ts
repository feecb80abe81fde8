/** Size of a picture or of the cropped part of it, pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The cropped part of a picture: zoom 1 shows as much as fits; the centre is a share of the free way, 0 to 1. */
export interface Crop {
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
}

/** A rectangle of a picture, pixels. */
interface Area extends Size {
  readonly left: number;
  readonly top: number;
}

export const wholePicture: Crop = { zoom: 1, x: 0.5, y: 0.5 };

/** Largest zoom: beyond it a label is blurred on a menu. */
export const maxZoom = 4;

/** Returns the part of a picture that a crop with this aspect ratio (width / height) shows. */
export function cropArea(picture: Size, aspect: number, { zoom, x, y }: Crop): Area {
  const widest = Math.min(picture.width, picture.height * aspect);
  const width = widest / clamp(zoom, 1, maxZoom);
  const height = width / aspect;
  return {
    left: (picture.width - width) * clamp(x, 0, 1),
    top: (picture.height - height) * clamp(y, 0, 1),
    width,
    height,
  };
}

/** Moves the crop by a distance in pixels of the picture. */
export function moveCrop(
  picture: Size,
  aspect: number,
  crop: Crop,
  by: { readonly x: number; readonly y: number },
): Crop {
  const { width, height } = cropArea(picture, aspect, crop);
  const move = (share: number, way: number, distance: number) =>
    way <= 0 ? share : clamp(share + distance / way, 0, 1);
  return {
    ...crop,
    x: move(crop.x, picture.width - width, by.x),
    y: move(crop.y, picture.height - height, by.y),
  };
}

/** Returns the size of the uploaded picture: its longer side has at most `maxSide` pixels. */
export function croppedSize({ width, height }: Size, maxSide: number): Size {
  const scale = Math.min(1, maxSide / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);
