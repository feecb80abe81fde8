import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import { moveTo } from './order.ts';

/** So near to the edge of the window a drag scrolls the page, pixels. */
const scrollEdgePx = 70;
/** Scrolled at each movement there, pixels. */
const scrollStepPx = 14;

interface DragOrder {
  /** The list whose items are dragged; its children are in the order of `ids`. */
  readonly list: RefObject<HTMLElement | null>;
  readonly ids: readonly string[];
  /** Called with the new place of the dragged item. */
  onDrop(id: string, index: number): void;
}

/**
 * Orders a list by dragging with mouse, pen or finger. While an item is dragged the document stays as it is, since a moved
 * element loses the finger; the list shows `order` by CSS. Escape cancels.
 */
export function useDragOrder({ list, ids, onDrop }: DragOrder) {
  const dragged = useSignal<{ readonly id: string; readonly pointerId: number } | null>(null);
  const order = useSignal<readonly string[]>(ids);
  const id = dragged.value?.id ?? null;

  useEffect(() => {
    const drag = dragged.value;
    if (drag === null) return;
    const stop = () => {
      dragged.value = null;
    };
    // The listeners stay until the next rendering, so that one more event may come after the drag has ended.
    const isOver = (event: PointerEvent) => dragged.peek() !== drag || event.pointerId !== drag.pointerId;
    const move = (event: PointerEvent) => {
      if (isOver(event)) return;
      order.value = moveTo(
        order.value,
        drag.id,
        placeAt(list.current, order.value, ids, drag.id, event.clientY),
      );
      if (event.clientY < scrollEdgePx) window.scrollBy(0, -scrollStepPx);
      else if (event.clientY > window.innerHeight - scrollEdgePx) window.scrollBy(0, scrollStepPx);
    };
    const drop = (event: PointerEvent) => {
      if (isOver(event)) return;
      const index = order.value.indexOf(drag.id);
      stop();
      onDrop(drag.id, index);
    };
    const cancel = (event: PointerEvent) => event.pointerId === drag.pointerId && stop();
    const cancelByKey = (event: KeyboardEvent) => event.key === 'Escape' && stop();
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', drop);
    window.addEventListener('pointercancel', cancel);
    window.addEventListener('keydown', cancelByKey);
    return () => {
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', drop);
      window.removeEventListener('pointercancel', cancel);
      window.removeEventListener('keydown', cancelByKey);
    };
  }, [dragged.value]);

  return {
    /** The dragged item; null without one. */
    id,
    /** The ids as they are shown while an item is dragged. */
    order: id === null ? ids : order.value,
    start(startedId: string, event: PointerEvent) {
      if (event.button !== 0 || dragged.value !== null) return;
      // Without this the browser selects text, and the button does not get the focus on every system.
      event.preventDefault();
      if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
      order.value = ids;
      dragged.value = { id: startedId, pointerId: event.pointerId };
    },
  };
}

/** The place of an item whose pointer is at that height: it passes a neighbour at the middle of it. */
function placeAt(
  list: HTMLElement | null,
  order: readonly string[],
  ids: readonly string[],
  id: string,
  clientY: number,
): number {
  const middles = order.map((one) => {
    const rect = list?.children[ids.indexOf(one)]?.getBoundingClientRect();
    return rect === undefined ? 0 : rect.top + rect.height / 2;
  });
  const own = order.indexOf(id);
  const above = middles.filter((middle, index) => index < own && middle < clientY).length;
  const below = middles.filter((middle, index) => index > own && middle < clientY).length;
  return above + below;
}
