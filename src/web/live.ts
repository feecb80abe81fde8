import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { HouseMessage, PourMessage } from '../http/live/shapes.ts';

/** How long the stream may be gone before the page says so; a Wi-Fi hiccup is not worth a word. */
const awayAfterMs = 2_000;
/** A half-open connection looks just like a quiet bar; after this much silence the stream is opened anew. */
const silenceMs = 45_000;
/** Wait before opening a stream that the browser itself has given up, as it does after an HTTP error. */
const reopenMs = 2_000;

/** The pour an odometer shows: running, or ended and on its way to the drink list. */
export interface PourNow {
  readonly pourId: string;
  readonly ticks: number;
  readonly volumeMl: number;
  readonly running: boolean;
}

/** What the page knows of the house at this moment. */
export interface LiveHouse {
  /** The last whole picture, null before the first. */
  readonly house: ReadonlySignal<HouseMessage | null>;
  /** True once the daemon has been out of reach for more than two seconds. */
  readonly away: ReadonlySignal<boolean>;
  /** The pour on one tap; each tap has its own signal, so that a tick redraws one odometer only. */
  pourOn(tapId: string): ReadonlySignal<PourNow | null>;
}

/** Follow the daemon's stream for as long as the page is open, and while its reader is `welcome` there. */
export function followHouse(address: string, welcome: () => boolean = () => true): LiveHouse {
  const house = signal<HouseMessage | null>(null);
  const away = signal(false);
  const pours = new Map<string, Signal<PourNow | null>>();
  const waiting = new Map<string, PourMessage>();
  let frame = 0;
  let stream: EventSource | null = null;
  let awayTimer: ReturnType<typeof setTimeout> | undefined;
  let silenceTimer: ReturnType<typeof setTimeout> | undefined;
  let reopenTimer: ReturnType<typeof setTimeout> | undefined;

  const pourOn = (tapId: string): Signal<PourNow | null> => {
    let pour = pours.get(tapId);
    if (!pour) {
      pour = signal<PourNow | null>(null);
      pours.set(tapId, pour);
    }
    return pour;
  };

  function missed() {
    awayTimer ??= setTimeout(() => {
      away.value = true;
    }, awayAfterMs);
  }

  function heard() {
    clearTimeout(awayTimer);
    awayTimer = undefined;
    away.value = false;
    clearTimeout(silenceTimer);
    silenceTimer = setTimeout(() => {
      missed();
      open();
    }, silenceMs);
  }

  function showHouse(message: HouseMessage) {
    heard();
    // The whole picture is newer than any pour still waiting for its frame.
    waiting.clear();
    batch(() => {
      house.value = message;
      const running = new Map(message.taps.map((tap) => [tap.id, tap.pouring]));
      for (const tap of message.taps) pourOn(tap.id);
      for (const [tapId, pour] of pours) {
        const now = running.get(tapId);
        pour.value = now
          ? { pourId: now.pour_id, ticks: now.ticks, volumeMl: now.volume_ml, running: true }
          : null;
      }
    });
  }

  function showPours() {
    frame = 0;
    batch(() => {
      for (const message of waiting.values()) {
        pourOn(message.tap_id).value =
          message.state === 'dripped'
            ? null
            : {
                pourId: message.pour_id,
                ticks: message.ticks,
                volumeMl: message.volume_ml,
                running: message.state !== 'ended',
              };
      }
      waiting.clear();
    });
  }

  function open() {
    clearTimeout(reopenTimer);
    stream?.close();
    if (!welcome()) {
      reopenTimer = setTimeout(open, reopenMs);
      return;
    }
    const source = new EventSource(address);
    stream = source;
    source.addEventListener('house', (event: MessageEvent<string>) => showHouse(JSON.parse(event.data)));
    source.addEventListener('pour', (event: MessageEvent<string>) => {
      heard();
      const message: PourMessage = JSON.parse(event.data);
      waiting.set(message.tap_id, message);
      if (frame === 0) frame = requestAnimationFrame(showPours);
    });
    source.addEventListener('error', () => {
      missed();
      if (source.readyState !== EventSource.CLOSED) return;
      clearTimeout(reopenTimer);
      reopenTimer = setTimeout(open, reopenMs);
    });
  }

  missed();
  open();
  return { house, away, pourOn };
}
