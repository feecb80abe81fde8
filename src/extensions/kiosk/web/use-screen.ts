import { useEffect, useMemo, useState } from 'preact/hooks';
import type { SnapshotMessage } from '../../../http/live/shapes.ts';
import { formatClock } from '../../../web/app/format.ts';
import type { Measure } from './fit-text.ts';
import type { Size } from './kiosk-layout.ts';

/** Interval of the clock, milliseconds; a new minute is shown at most this late. */
const refreshMs = 5_000;
/** Size at which texts are measured, pixels: large, so that rounding does not matter. */
const measuredPx = 200;
/** Number of widths kept: a kiosk runs for months, and volumes and times change. */
const maxWidths = 2_000;

const readSize = (): Size => ({ width: window.innerWidth, height: window.innerHeight });

/** Returns the size of the window. */
export function useWindowSize(): Size {
  const [size, setSize] = useState(readSize);
  useEffect(() => {
    const update = () => setSize(readSize());
    addEventListener('resize', update);
    return () => removeEventListener('resize', update);
  }, []);
  return size;
}

/** Returns the time of day at the bar, `HH:MM`. */
export function useClock(snapshot: SnapshotMessage): string {
  const [clock, setClock] = useState(() => formatClock(snapshot));
  useEffect(() => {
    const timer = setInterval(() => setClock(formatClock(snapshot)), refreshMs);
    return () => clearInterval(timer);
  }, [snapshot.time_zone]);
  return clock;
}

/** Functions that measure bold texts in the two fonts of the page. */
export interface Fonts {
  readonly display: Measure;
  readonly body: Measure;
}

/** Returns functions that measure texts in the fonts of the page. */
export function useFonts(): Fonts {
  return useMemo(() => {
    const style = getComputedStyle(document.documentElement);
    const context = document.createElement('canvas').getContext('2d');
    return {
      display: createMeasure(context, style.getPropertyValue('--display')),
      body: createMeasure(context, style.getPropertyValue('--body')),
    };
  }, []);
}

function createMeasure(context: CanvasRenderingContext2D | null, family: string): Measure {
  const widths = new Map<string, number>();
  return (text) => {
    const known = widths.get(text);
    if (known !== undefined) return known;
    // Without a canvas, wider than any usual font.
    let width = text.length * 0.65;
    if (context) {
      context.font = `700 ${measuredPx}px ${family}`;
      width = context.measureText(text).width / measuredPx;
    }
    if (widths.size >= maxWidths) widths.clear();
    widths.set(text, width);
    return width;
  };
}

/**
 * Keeps the screen on while the kiosk is shown. Browsers offer this over HTTPS and on localhost only, and release it when
 * the window is hidden.
 */
export function useWakeLock() {
  useEffect(() => {
    if (!('wakeLock' in navigator)) return;
    let lock: WakeLockSentinel | null = null;
    let isStopped = false;
    function acquire() {
      if (document.hidden || isStopped) return;
      navigator.wakeLock.request('screen').then(
        (acquired) => {
          lock = acquired;
          if (isStopped) void acquired.release();
        },
        // Refused, for example with a low battery: requested again when the window is shown again.
        () => {},
      );
    }
    document.addEventListener('visibilitychange', acquire);
    acquire();
    return () => {
      isStopped = true;
      document.removeEventListener('visibilitychange', acquire);
      void lock?.release();
    };
  }, []);
}
