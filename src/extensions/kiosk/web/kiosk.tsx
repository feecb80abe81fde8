import { useEffect } from 'preact/hooks';
import { isClosed } from '../../../core/clock/opening-hours.ts';
import { isConnectionLost } from '../../../web/app/connection.ts';
import { SiteBackground } from '../../../web/app/frame/site-background.tsx';
import { applyTheme } from '../../../web/app/frame/theme.ts';
import type { PageProps } from '../../../web/components/page.tsx';
import { t } from '../../../web/locales/locale.ts';
import { useBeveragesByTap } from '../../../web/pages/kegs/beverages-by-tap.ts';
import { KioskHead } from './kiosk-head.tsx';
import { computeKioskLayout } from './kiosk-layout.ts';
import { hoursOfScreen, parseKioskOptions } from './kiosk-options.ts';
import { KioskTile } from './kiosk-tile.tsx';
import { useClock, useFonts, useWakeLock, useWindowSize } from './use-screen.ts';
import './kiosk.css';
import './kiosk-tile.css';

/** Minutes between two moves of the picture, and its positions in px per 1000 px of the smaller side. */
const shiftMinutes = 7;
const shiftSteps = [
  [0, 0],
  [3, 0],
  [3, 3],
  [0, 3],
  [-3, 3],
  [-3, 0],
  [-3, -3],
  [0, -3],
] as const;

/** Kiosk screen without controls: fills the screen with the taps, whatever their number; dimmed outside opening hours. */
export function Kiosk({ snapshot, live, query }: PageProps) {
  const options = parseKioskOptions(query);
  const clock = useClock(snapshot);
  const screen = useWindowSize();
  const fonts = useFonts();
  const beverages = useBeveragesByTap(snapshot);
  useWakeLock();
  useEffect(() => {
    applyTheme(options.theme);
    return () => applyTheme(null);
  }, [options.theme]);

  const taps = snapshot.taps
    .map((tap) => ({ tap, number: String(tap.number) }))
    .filter(({ tap }) => options.taps === null || options.taps.includes(tap.id));
  const { hide } = options;
  const hasDescription = taps.some(({ tap }) => beverages.get(tap.id)?.description);
  const layout = computeKioskLayout({
    taps: taps.length,
    screen,
    columns: options.columns,
    parts: {
      pictures: !hide.has('pictures'),
      descriptions: hasDescription && !hide.has('description'),
      level: !hide.has('level'),
      foot: !(hide.has('pours') && hide.has('next')),
    },
  });
  const isLive = !isConnectionLost.value;
  const context = { snapshot, options, layout, fonts, isLive };
  return (
    <div
      class="kiosk"
      data-dimmed={isClosed(hoursOfScreen(options, snapshot.opening_hours), clock)}
      style={{ '--kiosk-gap': `${layout.gapPx}px`, translate: shiftAt(clock, screen) }}
    >
      <SiteBackground url={snapshot.background_url} />
      <KioskHead context={context} clock={clock} screen={screen} />
      <main class="kiosk-main">
        <h2 class="visually-hidden">{t('taps.onTap')}</h2>
        {taps.length === 0 ? (
          <p class="empty-message">{t('kiosk.nothingOnTap')}</p>
        ) : (
          <ul
            class="kiosk-grid"
            style={{
              gridTemplateColumns: `repeat(${layout.columns}, minmax(0, 1fr))`,
              gridTemplateRows: `repeat(${layout.rows}, minmax(0, 1fr))`,
              fontSize: `${layout.unitPx}px`,
              '--picture': `${layout.pictureEm}em`,
            }}
          >
            {taps.map(({ tap, number }) => (
              <KioskTile
                key={tap.id}
                tap={tap}
                number={number}
                pour={live.currentPour(tap.id)}
                beverage={beverages.get(tap.id) ?? null}
                context={context}
              />
            ))}
          </ul>
        )}
      </main>
    </div>
  );
}

/** Moves the picture by a few pixels from time to time, against burn-in; less than the margin of the screen. */
function shiftAt(clock: string, { width, height }: { width: number; height: number }): string {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  const step = Math.floor((hours * 60 + minutes) / shiftMinutes) % shiftSteps.length;
  const [x, y] = shiftSteps[step] ?? [0, 0];
  const scale = Math.min(width, height) / 1_000;
  return `${Math.round(x * scale)}px ${Math.round(y * scale)}px`;
}
