import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { toHref } from '../../../web/app/routing.ts';
import { SelectField } from '../../../web/components/form/field.tsx';
import { t } from '../../../web/locales/locale.ts';

const screens = ['1920x1080', '3840x2160', '1080x1920', '1024x600'] as const;

/** Height of the preview that leaves the address in sight, as a share of the window's. */
const maxHeightShare = 0.6;

/** A kiosk as it looks on a screen, reduced. */
export function KioskPreview({ path }: { readonly path: string }) {
  const screen = useSignal<string>(screens[0]);
  const [width = 0, height = 0] = screen.value.split('x').map(Number);
  const frame = useRef<HTMLDivElement>(null);
  const scale = useSignal(0);
  useEffect(() => {
    const update = () => {
      if (frame.current) scale.value = frame.current.clientWidth / width;
    };
    const observer = new ResizeObserver(update);
    if (frame.current) observer.observe(frame.current);
    update();
    return () => observer.disconnect();
  }, [width]);
  const src = toHref(path);
  return (
    <section class="card kiosk-preview" aria-labelledby="kiosk-preview">
      <h3 id="kiosk-preview">{t('kiosk.preview')}</h3>
      <div onChange={(event) => (screen.value = (event.target as HTMLSelectElement).value)}>
        <SelectField
          name="screen"
          label={t('kiosk.screen')}
          options={Object.fromEntries(screens.map((one) => [one, t(`kiosk.screens.${one}`)]))}
          value={screen.value}
        />
      </div>
      <div
        class="kiosk-preview-frame"
        ref={frame}
        style={{
          aspectRatio: `${width} / ${height}`,
          maxWidth: `${((maxHeightShare * 100 * width) / height).toFixed(2)}vh`,
        }}
      >
        {/* A new frame for each address: changing that of a frame would add an entry to the browser's history. */}
        <iframe
          key={src}
          src={src}
          title={t('kiosk.preview')}
          tabIndex={-1}
          width={width}
          height={height}
          style={{ transform: `scale(${scale.value})` }}
        />
      </div>
    </section>
  );
}
