import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { PourMessage, SnapshotMessage } from '../../http/live/shapes.ts';
import { setConnectionLost } from './connection.ts';
import { endStoredState, readState } from './last-state.ts';

/**
 * Time without the stream before the page shows it, milliseconds. Shorter gaps of the Wi-Fi are not shown.
 */
const offlineAfterMs = 2_000;
/**
 * Time without a message before the stream is opened again, milliseconds. A half-open connection reports no
 * error.
 */
const silenceMs = 45_000;
/**
 * Wait before the stream is opened again after the browser has closed it because of an HTTP error,
 * milliseconds.
 */
const reopenMs = 2_000;

/** The pour on an odometer: running, or ended and not yet in the drink list. */
export interface CurrentPour {
  readonly pourId: string;
  readonly ticks: number;
  readonly volumeMl: number;
  readonly running: boolean;
}

/** State of the live page. */
export interface LiveState {
  /** The last snapshot; null before the first. */
  readonly snapshot: ReadonlySignal<SnapshotMessage | null>;
  /** The pour on a tap. Each tap has its own signal, so that a tick renders one odometer only. */
  currentPour(tapId: string): ReadonlySignal<CurrentPour | null>;
  /** Opens the stream again, since the user is another one, who may see more or less. */
  reopen(): void;
}

/** Id of the drink recorded last, also of one that arrived late; 0 without drinks. Lists are loaded again when it changes. */
export const newestDrinkId = ({
  drinks,
  newest_drink_id: newest,
}: Pick<SnapshotMessage, 'drinks' | 'newest_drink_id'>): number =>
  Math.max(newest, ...drinks.map(({ id }) => id));

/** Subscribes to the daemon's live stream while the page is open and `canConnect` is true. */
export function subscribeLive(address: string, canConnect: () => boolean = () => true): LiveState {
  const snapshot = signal<SnapshotMessage | null>(null);
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
      if (!canConnect()) {
        offlineTimer = undefined;
        return;
      }
      setConnectionLost(true);
      snapshot.value ??= readState();
    }, offlineAfterMs);
  }

  function markOnline() {
    clearTimeout(offlineTimer);
    offlineTimer = undefined;
    setConnectionLost(false);
    clearTimeout(silenceTimer);
    silenceTimer = setTimeout(() => {
      startOfflineTimer();
      open();
    }, silenceMs);
  }

  function applySnapshot(message: SnapshotMessage) {
    markOnline();
    // The snapshot is newer than any pour that waits for the next animation frame.
    pendingPours.clear();
    batch(() => {
      endStoredState();
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
  return { snapshot, currentPour, reopen: open };
}
