import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { DisplayText } from '../../app/error-text.ts';
import { t } from '../../locales/locale.ts';
import '../../styles/shared/combobox.css';

/** A suggestion below a combobox. */
export interface ComboboxOption {
  readonly key: string;
  readonly text: string;
  /** What tells it from others of the same text. */
  readonly detail?: string;
}

interface ComboboxProps<O extends ComboboxOption> {
  readonly label: string;
  /** Name of the input in its form. */
  readonly name?: string;
  /** The text in the input; the caller changes it in `onInput` and `onChoose`. */
  readonly text: string;
  /** Suggestions for the text, the best first. The caller finds them. */
  readonly options: readonly O[];
  onInput(text: string): void;
  onChoose(option: O): void;
  /** Label of a last entry that takes the text as it is; null offers none. */
  readonly newLabel?: string | null;
  onNew?(): void;
  /** Called when the focus leaves the input. */
  onLeave?(): void;
  readonly error?: DisplayText | undefined;
  /** Text below the input. */
  readonly hint?: string;
  readonly required?: boolean;
  readonly maxLength?: number;
}

/**
 * A text input with suggestions, by the combobox pattern of WAI-ARIA: arrow keys choose, Enter takes, Escape closes the
 * list. The focus stays in the input. A text that is no suggestion stays as it is.
 */
export function Combobox<O extends ComboboxOption>(props: ComboboxProps<O>) {
  const { label, text, options, newLabel = null, error, hint } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const isOpen = useSignal(false);
  const activeIndex = useSignal(-1);
  const count = options.length + (newLabel === null ? 0 : 1);
  const isShown = isOpen.value && count > 0;
  const active = isShown && activeIndex.value < count ? activeIndex.value : -1;

  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  useEffect(() => {
    if (isShown) list.current?.scrollIntoView({ block: 'nearest' });
  }, [isShown]);

  function close() {
    isOpen.value = false;
    activeIndex.value = -1;
  }

  function choose(index: number) {
    close();
    const option = options[index];
    if (option) props.onChoose(option);
    else props.onNew?.();
  }

  function handleKey(event: KeyboardEvent) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      isOpen.value = true;
      if (count > 0)
        activeIndex.value = active === -1 && step < 0 ? count - 1 : (active + step + count) % count;
    } else if (event.key === 'Enter' && active !== -1) {
      // Enter takes the suggestion; it does not send the form.
      event.preventDefault();
      choose(active);
    } else if (event.key === 'Escape' && isShown) {
      // Escape closes the list and not the dialog around it.
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  }

  return (
    <div class="field combobox">
      <label for={id}>{label}</label>
      <input
        ref={input}
        id={id}
        name={props.name}
        type="text"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={`${id}-list`}
        aria-activedescendant={active === -1 ? undefined : `${id}-${active}`}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined && hint === undefined ? undefined : `${id}-note`}
        autocomplete="off"
        autocapitalize="sentences"
        spellcheck={false}
        required={props.required ?? true}
        maxLength={props.maxLength ?? 255}
        value={text}
        onInput={(event) => {
          isOpen.value = true;
          activeIndex.value = -1;
          props.onInput(event.currentTarget.value);
        }}
        onClick={() => (isOpen.value = true)}
        onKeyDown={handleKey}
        onBlur={() => {
          close();
          props.onLeave?.();
        }}
      />
      <div
        ref={list}
        id={`${id}-list`}
        class="combobox-list"
        role="listbox"
        aria-label={t('common.suggestionList')}
        hidden={!isShown}
        // The input keeps the focus, so that a touch does not close the list before the click.
        onMouseDown={(event) => event.preventDefault()}
      >
        {isShown &&
          options.map((option, index) => (
            <Suggestion
              key={option.key}
              id={`${id}-${index}`}
              isActive={active === index}
              onTake={() => choose(index)}
            >
              <span class="combobox-text">{option.text}</span>
              {option.detail !== undefined && <span class="combobox-detail">{option.detail}</span>}
            </Suggestion>
          ))}
        {isShown && newLabel !== null && (
          <Suggestion
            key="new"
            id={`${id}-${options.length}`}
            isActive={active === options.length}
            onTake={() => choose(options.length)}
          >
            <span class="combobox-new">{newLabel}</span>
          </Suggestion>
        )}
      </div>
      {(error !== undefined || hint !== undefined) && (
        <span class={error === undefined ? 'soft' : 'refusal'} id={`${id}-note`}>
          {error ?? hint}
        </span>
      )}
      <span class="visually-hidden" role="status">
        {isShown ? t('common.suggestions', { count: options.length }) : ''}
      </span>
    </div>
  );
}

interface SuggestionProps {
  readonly id: string;
  readonly isActive: boolean;
  onTake(): void;
  readonly children: ComponentChildren;
}

function Suggestion({ id, isActive, onTake, children }: SuggestionProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input, which names the active option
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
    <div id={id} class="combobox-option" role="option" aria-selected={isActive} onClick={onTake}>
      {children}
    </div>
  );
}
