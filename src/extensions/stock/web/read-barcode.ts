import {
  BarcodeFormat,
  BinaryBitmap,
  DecodeHintType,
  GlobalHistogramBinarizer,
  HybridBinarizer,
  MultiFormatReader,
  RGBLuminanceSource,
} from '@zxing/library';

/** Formats of labels on kegs and cartons. */
const formats = [
  BarcodeFormat.CODE_128,
  BarcodeFormat.QR_CODE,
  BarcodeFormat.DATA_MATRIX,
  BarcodeFormat.EAN_13,
  BarcodeFormat.EAN_8,
  BarcodeFormat.UPC_A,
  BarcodeFormat.ITF,
  BarcodeFormat.CODE_39,
];

/** Longer sides to which a photo is reduced, pixels: a small one reads blurred codes better, a large one small codes. */
const longSides = [1_000, 1_800];

/**
 * Reads a barcode or QR code in a photo; null when there is none. It works in every browser and without HTTPS, unlike the browsers'
 * own detector. Rejects a file that is no picture.
 */
export async function readBarcode(file: Blob): Promise<string | null> {
  const picture = await createImageBitmap(file);
  const reader = new MultiFormatReader();
  reader.setHints(
    new Map<DecodeHintType, unknown>([
      [DecodeHintType.POSSIBLE_FORMATS, formats],
      // Also turned by 90°.
      [DecodeHintType.TRY_HARDER, true],
      [DecodeHintType.ASSUME_GS1, true],
    ]),
  );
  for (const longSide of longSides) {
    const source = readLuminance(picture, longSide);
    for (const binarizer of [new HybridBinarizer(source), new GlobalHistogramBinarizer(source)]) {
      try {
        return reader.decodeWithState(new BinaryBitmap(binarizer)).getText();
      } catch {
        // None was found this way.
      }
    }
  }
  return null;
}

function readLuminance(picture: ImageBitmap, longSide: number): RGBLuminanceSource {
  const scale = Math.min(1, longSide / Math.max(picture.width, picture.height));
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('No canvas');
  // What is transparent is white.
  context.fillStyle = 'white';
  context.fillRect(0, 0, width, height);
  context.drawImage(picture, 0, 0, width, height);
  const { data } = context.getImageData(0, 0, width, height);
  const luminance = new Uint8ClampedArray(width * height);
  for (let pixel = 0; pixel < luminance.length; pixel += 1) {
    const at = pixel * 4;
    luminance[pixel] = (data[at]! * 299 + data[at + 1]! * 587 + data[at + 2]! * 114) / 1_000;
  }
  return new RGBLuminanceSource(luminance, width, height);
}
