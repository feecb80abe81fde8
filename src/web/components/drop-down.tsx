import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { usePath } from '../app/routing.ts';
import '../styles/frame/drop-down.css';

interface DropDownProps {
  /** Accessible name of the button; the visible content when it is left out. */
  readonly label?: string | undefined;
  /** Content of the button. */
  readonly button: ComponentChildren;
  readonly class: string;
  readonly children: ComponentChildren;
}

/** Space between the panel, its button and the edges of the screen, CSS pixels. */
const margin = 8;
const hasPopover = 'popover' in HTMLElement.prototype;

/**
 * A button that opens a panel above the page. The panel never leaves the screen: longer content scrolls inside it. The
 * browser closes it by Escape, by a touch outside and by a phone's back gesture; following a link closes it, too.
 */
export function DropDown({ label, button, class: className, children }: DropDownProps) {
  const id = useId();
  const isOpen = useSignal(false);
  const container = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const path = usePath();

  function close() {
    if (hasPopover && panel.current?.matches(':popover-open')) panel.current.hidePopover();
    isOpen.value = false;
  }
  useEffect(close, [path]);
  useLayoutEffect(() => {
    const element = container.current;
    const opened = panel.current;
    if (!isOpen.value || !element || !opened) return;
    const place = () => placePanel(opened, element.firstElementChild ?? element);
    const closeAfterLink = ({ target }: Event) => target instanceof Element && target.closest('a') && close();
    const closeAfterTab = ({ relatedTarget }: FocusEvent) =>
      relatedTarget instanceof Node && !element.contains(relatedTarget) && close();
    place();
    addEventListener('resize', place);
    opened.addEventListener('click', closeAfterLink);
    element.addEventListener('focusout', closeAfterTab);
    return () => {
      removeEventListener('resize', place);
      opened.removeEventListener('click', closeAfterLink);
      element.removeEventListener('focusout', closeAfterTab);
    };
  }, [isOpen.value]);

  return (
    <div ref={container} class={className}>
      <button
        type="button"
        class="header-button"
        aria-label={label}
        aria-expanded={isOpen.value}
        aria-controls={id}
        popovertarget={id}
        onClick={() => {
          if (!hasPopover) isOpen.value = !isOpen.value;
        }}
      >
        {button}
      </button>
      <div
        ref={panel}
        id={id}
        class="drop-down"
        popover="auto"
        onBeforeToggle={({ newState }) => {
          isOpen.value = newState === 'open';
        }}
      >
        {isOpen.value && children}
      </div>
    </div>
  );
}

/** Places the panel below its button, at most in the middle of the screen: a header can be tall on a phone. */
function placePanel(panel: HTMLElement, button: Element) {
  const { bottom, right } = button.getBoundingClientRect();
  const top = Math.max(margin, Math.min(bottom + margin, innerHeight / 2));
  panel.style.setProperty('--panel-top', `${top}px`);
  panel.style.setProperty('--panel-right', `${Math.max(margin, innerWidth - right)}px`);
}
