import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { DisplayText } from '../../../app/error-text.ts';
import { t } from '../../../locales/locale.ts';

const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;
const minDigits = 4;
const maxDigits = 8;

interface PinPadProps {
  readonly name: string;
  /** Error of the last PIN. */
  readonly refusal: DisplayText | null;
  onSend(pin: string): Promise<void>;
}

/** Number pad with large keys; a keyboard types into the field above. */
export function PinPad({ name, refusal, onSend }: PinPadProps) {
  const id = useId();
  const pin = useSignal('');
  const busy = useSignal(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const isLong = pin.value.length >= minDigits;

  function press(digit: string) {
    if (pin.value.length < maxDigits) pin.value += digit;
  }

  async function send(event: SubmitEvent) {
    event.preventDefault();
    if (busy.value || !isLong) return;
    busy.value = true;
    await onSend(pin.value);
    busy.value = false;
    pin.value = '';
    input.current?.focus();
  }

  return (
    <form class="pin-form" onSubmit={send} aria-busy={busy.value}>
      <label class="visually-hidden" for={id}>
        {t('tablets.pinOf', { name })}
      </label>
      <input
        ref={input}
        id={id}
        class="pin-line"
        type="password"
        // No on-screen keyboard: it would cover the number pad.
        inputmode="none"
        autocomplete="off"
        pattern="[0-9]*"
        maxLength={maxDigits}
        value={pin.value}
        onInput={(event) => {
          pin.value = event.currentTarget.value.replace(/[^0-9]/g, '').slice(0, maxDigits);
          event.currentTarget.value = pin.value;
        }}
      />
      <p class="refusal" role="alert">
        {refusal}
      </p>
      <fieldset class="pin-keys">
        <legend class="visually-hidden">{t('tablets.digits')}</legend>
        {digits.map((digit) => (
          <button key={digit} type="button" class="pin-key" onClick={() => press(digit)}>
            {digit}
          </button>
        ))}
        <button
          type="button"
          class="pin-key"
          aria-label={t('tablets.erase')}
          onClick={() => {
            pin.value = pin.value.slice(0, -1);
          }}
        >
          <span aria-hidden="true">⌫</span>
        </button>
        <button type="button" class="pin-key" onClick={() => press('0')}>
          0
        </button>
        <button type="submit" class="pin-key pin-confirm" aria-disabled={!isLong || busy.value}>
          {t('tablets.confirm')}
        </button>
      </fieldset>
    </form>
  );
}
