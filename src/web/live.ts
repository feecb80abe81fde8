import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { PourMessage, SnapshotMessage } from '../http/live/shapes.ts';

/** How long the stream may be gone before the page says so; a Wi-Fi hiccup is not worth a word. */
const offlineAfterMs = 2_000;
/** A half-open connection looks just like a quiet bar; after this much silence the stream is opened anew. */
const silenceMs = 45_000;
/** Wait before opening a stream that the browser itself has given up, as it does after an HTTP error. */
const reopenMs = 2_000;

/** The pour an odometer shows: running, or ended and on its way to the drink list. */
export interface CurrentPour {
  readonly pourId: string;
  readonly ticks: number;
  readonly volumeMl: number;
  readonly running: boolean;
}

/** What the page knows of the house at this moment. */
export interface LiveState {
  /** The last whole picture, null before the first. */
  readonly snapshot: ReadonlySignal<SnapshotMessage | null>;
  /** True once the daemon has been out of reach for more than two seconds. */
  readonly isOffline: ReadonlySignal<boolean>;
  /** The pour on one tap; each tap has its own signal, so that a tick redraws one odometer only. */
  currentPour(tapId: string): ReadonlySignal<CurrentPour | null>;
}

/** Follow the daemon's stream for as long as the page is open, and while its reader is `welcome` there. */
export function subscribeLive(address: string, canConnect: () => boolean = () => true): LiveState {
  const snapshot = signal<SnapshotMessage | null>(null);
  const isOffline = signal(false);
  const pours = new Map<string, Signal<CurrentPour | null>>();
  const pendingPours = new Map<string, PourMessage>();
  let frame = 0;
  let stream: EventSource | null = null;
  let offlineTimer: ReturnType<typeof setTimeout> | undefined;
  let silenceTimer: ReturnType<typeof setTimeout> | undefined;
  let reopenTimer: ReturnType<typeof setTimeout> | undefined;

  const currentPour = (tapId: string): Signal<CurrentPour | null> => {
    let pour = pours.get(tapId);
    if (!pour) {
      pour = signal<CurrentPour | null>(null);
      pours.set(tapId, pour);
    }
    return pour;
  };

  function startOfflineTimer() {
    offlineTimer ??= setTimeout(() => {
      isOffline.value = true;
    }, offlineAfterMs);
  }

  function markOnline() {
    clearTimeout(offlineTimer);
    offlineTimer = undefined;
    isOffline.value = false;
    clearTimeout(silenceTimer);
    silenceTimer = setTimeout(() => {
      startOfflineTimer();
      open();
    }, silenceMs);
  }

  function applySnapshot(message: SnapshotMessage) {
    markOnline();
    // The whole picture is newer than any pour still waiting for its frame.
    pendingPours.clear();
    batch(() => {
      snapshot.value = message;
      const running = new Map(message.taps.map((tap) => [tap.id, tap.pouring]));
      for (const tap of message.taps) currentPour(tap.id);
      for (const [tapId, pour] of pours) {
        const now = running.get(tapId);
        pour.value = now
          ? { pourId: now.pour_id, ticks: now.ticks, volumeMl: now.volume_ml, running: true }
          : null;
      }
    });
  }

  function applyPours() {
    frame = 0;
    batch(() => {
      for (const message of pendingPours.values()) {
        currentPour(message.tap_id).value =
          message.state === 'dripped'
            ? null
            : {
                pourId: message.pour_id,
                ticks: message.ticks,
                volumeMl: message.volume_ml,
                running: message.state !== 'ended',
              };
      }
      pendingPours.clear();
    });
  }

  function open() {
    clearTimeout(reopenTimer);
    stream?.close();
    if (!canConnect()) {
      reopenTimer = setTimeout(open, reopenMs);
      return;
    }
    const source = new EventSource(address);
    stream = source;
    source.addEventListener('snapshot', (event: MessageEvent<string>) =>
      applySnapshot(JSON.parse(event.data)),
    );
    source.addEventListener('pour', (event: MessageEvent<string>) => {
      markOnline();
      const message: PourMessage = JSON.parse(event.data);
      pendingPours.set(message.tap_id, message);
      if (frame === 0) frame = requestAnimationFrame(applyPours);
    });
    source.addEventListener('error', () => {
      startOfflineTimer();
      if (source.readyState !== EventSource.CLOSED) return;
      clearTimeout(reopenTimer);
      reopenTimer = setTimeout(open, reopenMs);
    });
  }

  startOfflineTimer();
  open();
  return { snapshot, isOffline, currentPour };
}
