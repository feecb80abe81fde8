import { useSignal } from '@preact/signals';
import { useEffect, useId, useMemo, useRef } from 'preact/hooks';
import type { LiveTap, SnapshotMessage } from '../../../../http/live/shapes.ts';
import { request } from '../../../api/client.ts';
import { ErrorMessage, useAction } from '../../../components/action.tsx';
import { showToast } from '../../../components/toast.tsx';
import { undoCorrection } from '../../../components/undo.ts';
import { t } from '../../../locales/locale.ts';
import { moveTo, sortByIds } from './order.ts';
import { TapRow } from './tap-row.tsx';
import { useDragOrder } from './use-drag-order.ts';

/** Wait after the last move before the order is saved, milliseconds: a tap is often moved by several places. */
const saveAfterMs = 600;

/** The taps in their order. Each is moved by its handle (drag, arrow keys) or by buttons; the order is saved at once. */
export function TapList({ snapshot }: { readonly snapshot: SnapshotMessage }) {
  const hintId = useId();
  const list = useRef<HTMLUListElement>(null);
  const { runAction, error } = useAction();
  /** Ids in the order that is being set here; null while it is that of the bar. */
  const order = useSignal<readonly string[] | null>(null);
  const announcement = useSignal('');
  /** The control that moved a tap: it keeps the focus, although its row was moved in the document. */
  const focused = useRef<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const ids = useMemo(
    () => sortByIds(snapshot.taps, order.value).map(({ id }) => id),
    [snapshot, order.value],
  );
  const taps = sortByIds(snapshot.taps, order.value);
  const storedKey = snapshot.taps.map(({ id }) => id).join();
  const stored = useRef(storedKey);
  stored.current = storedKey;
  const isSaving = useRef(false);
  const inOrder = taps.every((tap, index) => tap.number === index + 1);

  async function save(renumber = false) {
    clearTimeout(timer.current);
    timer.current = undefined;
    const sent = order.value ?? ids;
    isSaving.current = true;
    const answer = await runAction(
      () => request('PUT /tap-order', { body: { tap_ids: [...sent], ...(renumber && { renumber }) } }),
      ({ correction_id: id }) =>
        showToast(
          t(renumber ? 'taps.renumbered' : 'taps.orderSaved'),
          id === null ? null : () => void undoCorrection(id),
        ),
    );
    isSaving.current = false;
    if (answer?.ok === false) order.value = null;
    else if (answer === null || (order.value ?? sent) !== sent) saveSoon();
    else followStored(sent);
  }
  /** Shows the order of the bar again once it is the saved one, which comes by the live stream. */
  function followStored(saved: readonly string[]) {
    if (stored.current === saved.join()) order.value = null;
  }
  function saveSoon() {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void save(), saveAfterMs);
  }
  // The last move must not be lost when the page is left.
  useEffect(() => () => void (timer.current !== undefined && save()), []);
  useEffect(() => {
    if (timer.current === undefined && !isSaving.current) order.value = null;
  }, [storedKey]);
  useEffect(() => {
    if (focused.current !== null) document.getElementById(focused.current)?.focus();
    focused.current = null;
  }, [order.value]);

  function place(id: string, index: number) {
    const moved = moveTo(ids, id, index);
    if (moved === ids) return;
    const element = document.activeElement;
    focused.current = element instanceof HTMLElement && list.current?.contains(element) ? element.id : null;
    order.value = moved;
    const name = snapshot.taps.find((tap) => tap.id === id)?.name ?? '';
    announcement.value = t('taps.moved', {
      tap: name,
      place: String(moved.indexOf(id) + 1),
      count: String(moved.length),
    });
    saveSoon();
  }
  const drag = useDragOrder({ list, ids, onDrop: place });
  const visualIndex = (tap: LiveTap) => drag.order.indexOf(tap.id);

  return (
    <>
      <ErrorMessage>{error}</ErrorMessage>
      <p class="soft" id={hintId}>
        {t('taps.orderHint')}
      </p>
      <ul class="rows tap-rows" ref={list} aria-label={t('taps.title')} data-dragging={drag.id !== null}>
        {taps.map((tap, index) => (
          <TapRow
            key={tap.id}
            tap={tap}
            hintId={hintId}
            place={drag.id === null ? undefined : visualIndex(tap)}
            isDragged={drag.id === tap.id}
            isFirst={index === 0}
            isLast={index === taps.length - 1}
            onDragStart={(event) => drag.start(tap.id, event)}
            onMove={(by) => place(tap.id, by === 'first' ? 0 : by === 'last' ? taps.length - 1 : index + by)}
          />
        ))}
      </ul>
      <p class="visually-hidden" role="status">
        {announcement.value}
      </p>
      {!inOrder && (
        <p class="tap-renumber">
          <button type="button" class="chip" onClick={() => void save(true)}>
            {t('taps.renumber', { count: String(taps.length) })}
          </button>
        </p>
      )}
    </>
  );
}
