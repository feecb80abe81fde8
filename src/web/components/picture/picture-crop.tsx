import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { findText, t } from '../../locales/locale.ts';
import { Dialog } from '../dialog.tsx';
import { Choice } from '../form/choice.tsx';
import { type Crop, cropArea, croppedSize, maxZoom, moveCrop, wholePicture } from './crop-geometry.ts';

/** Longest side of an upload, pixels; the daemon stores no larger picture. */
const maxSide = 1024;
/** Longest side of the preview, pixels. */
const previewSide = 480;
/** An arrow key moves the picture by this share of what is shown. */
const keyStep = 0.04;

interface PictureCropProps {
  readonly picture: ImageBitmap;
  /** Media type of the chosen file: a format with transparency stays one. */
  readonly type: string;
  /** The shapes to choose from, the usual one first. */
  readonly shapes: readonly PictureShape[];
  onCropped(cropped: Blob): void;
  onCancel(): void;
}

const aspects = { square: 1, portrait: 3 / 4, wide: 16 / 9 } as const;

/** The shape of a cropped picture; `original` keeps that of the chosen file. */
export type PictureShape = keyof typeof aspects | 'original';

/** Dialog that crops a picture to one of some shapes: by dragging, with arrow keys, and with sliders. */
export function PictureCrop({ picture, type, shapes, onCropped, onCancel }: PictureCropProps) {
  const id = useId();
  const canvas = useRef<HTMLCanvasElement>(null);
  const shape = useSignal<PictureShape>(shapes[0] ?? 'square');
  const crop = useSignal<Crop>(wholePicture);
  const dragFrom = useRef<{ readonly x: number; readonly y: number } | null>(null);
  const aspect = shape.value === 'original' ? picture.width / picture.height : aspects[shape.value];
  const preview = croppedSize({ width: previewSide * aspect, height: previewSide }, previewSide);

  useEffect(() => {
    if (canvas.current) draw(canvas.current, picture, aspect, crop.value);
  }, [picture, aspect, crop.value]);

  /** Moves what is shown by a share of it. */
  const move = (x: number, y: number) => {
    const { width, height } = cropArea(picture, aspect, crop.value);
    crop.value = moveCrop(picture, aspect, crop.value, { x: x * width, y: y * height });
  };

  function drag(event: PointerEvent) {
    const from = dragFrom.current;
    const box = canvas.current?.getBoundingClientRect();
    if (from === null || !box) return;
    dragFrom.current = { x: event.clientX, y: event.clientY };
    move((from.x - event.clientX) / box.width, (from.y - event.clientY) / box.height);
  }

  function moveByKey(event: KeyboardEvent) {
    const steps: Readonly<Record<string, readonly [number, number]>> = {
      ArrowLeft: [-keyStep, 0],
      ArrowRight: [keyStep, 0],
      ArrowUp: [0, -keyStep],
      ArrowDown: [0, keyStep],
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    move(...step);
  }

  function finish() {
    const area = cropArea(picture, aspect, crop.value);
    const output = document.createElement('canvas');
    Object.assign(output, croppedSize(area, maxSide));
    draw(output, picture, aspect, crop.value);
    const isTransparent = type === 'image/png' || type === 'image/webp' || type === 'image/gif';
    output.toBlob((blob) => blob && onCropped(blob), isTransparent ? 'image/png' : 'image/jpeg', 0.92);
  }

  return (
    <Dialog title={t('pictures.crop')} onClose={onCancel}>
      <div class="crop">
        <fieldset class="choice">
          <legend>{t('pictures.shape')}</legend>
          {shapes.map((one) => (
            <Choice key={one} isChosen={shape.value === one} onChoose={() => (shape.value = one)}>
              {findText('pictures.shapes', one)}
            </Choice>
          ))}
        </fieldset>
        <canvas
          ref={canvas}
          class="crop-canvas"
          role="img"
          aria-label={t('pictures.preview')}
          tabIndex={0}
          width={preview.width}
          height={preview.height}
          onPointerDown={(event) => {
            dragFrom.current = { x: event.clientX, y: event.clientY };
            event.currentTarget.setPointerCapture(event.pointerId);
          }}
          onPointerMove={drag}
          onPointerUp={() => (dragFrom.current = null)}
          onPointerCancel={() => (dragFrom.current = null)}
          onKeyDown={moveByKey}
        />
        <Slider
          id={`${id}-zoom`}
          label={t('pictures.zoom')}
          min={1}
          max={maxZoom}
          value={crop.value.zoom}
          onChange={(zoom) => (crop.value = { ...crop.value, zoom })}
        />
        <Slider
          id={`${id}-x`}
          label={t('pictures.leftRight')}
          min={0}
          max={1}
          value={crop.value.x}
          onChange={(x) => (crop.value = { ...crop.value, x })}
        />
        <Slider
          id={`${id}-y`}
          label={t('pictures.upDown')}
          min={0}
          max={1}
          value={crop.value.y}
          onChange={(y) => (crop.value = { ...crop.value, y })}
        />
        <div class="form-buttons">
          <button type="button" class="button" onClick={finish}>
            {t('pictures.take')}
          </button>
          <button type="button" class="chip" onClick={onCancel}>
            {t('common.cancel')}
          </button>
        </div>
      </div>
    </Dialog>
  );
}

interface SliderProps {
  readonly id: string;
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly value: number;
  onChange(value: number): void;
}

function Slider({ id, label, min, max, value, onChange }: SliderProps) {
  return (
    <label class="field crop-slider" for={id}>
      {label}
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={0.01}
        value={value}
        onInput={(event) => onChange(Number(event.currentTarget.value))}
      />
    </label>
  );
}

function draw(canvas: HTMLCanvasElement, picture: ImageBitmap, aspect: number, crop: Crop) {
  const { left, top, width, height } = cropArea(picture, aspect, crop);
  const context = canvas.getContext('2d');
  if (!context) return;
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, left, top, width, height, 0, 0, canvas.width, canvas.height);
}
