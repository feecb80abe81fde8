import type { ChoosablePin } from '../../../api/generated.ts';
import { type DisplayText, markEnglish } from '../../../app/error-text.ts';
import { findText, t } from '../../../locales/locale.ts';

/** Pins of the 40-pin header that are no GPIO lines. */
const supply: Readonly<Record<number, 'v3' | 'v5' | 'ground'>> = {
  1: 'v3',
  2: 'v5',
  4: 'v5',
  6: 'ground',
  9: 'ground',
  14: 'ground',
  17: 'v3',
  20: 'ground',
  25: 'ground',
  30: 'ground',
  34: 'ground',
  39: 'ground',
};

const rows = Array.from({ length: 20 }, (_, row) => [2 * row + 1, 2 * row + 2] as const);

interface PinHeaderProps {
  readonly pins: readonly ChoosablePin[];
  /** The pin of the edited part, which it may keep. */
  readonly own?: number | null;
  readonly chosen?: number | null;
  /** With it each free pin can be chosen. */
  onChoose?(pin: number): void;
}

/** The 40 pins of the header as they lie on the board, with the network card on the right; free pins can be chosen. */
export function PinHeader({ pins, own = null, chosen = null, onChoose }: PinHeaderProps) {
  const cell = (headerPin: number) => {
    const pin = pins.find((one) => one.header_pin === headerPin);
    const power = supply[headerPin];
    if (pin === undefined)
      return <span class="soft">{power === undefined ? '–' : t(`pins.supply.${power}`)}</span>;
    const label = t('pins.gpio', { pin: pin.pin });
    const isOwn = pin.pin === own;
    const note = isOwn ? t('pins.ownPin') : describeUse(pin);
    if (onChoose === undefined || (pin.use === 'taken' && !isOwn)) {
      return (
        <span class="pin-name">
          <span>
            {label} <small>{note}</small>
          </span>
        </span>
      );
    }
    return (
      <label class="pin-name">
        <input
          type="radio"
          name="pin"
          value={pin.pin}
          checked={chosen === pin.pin}
          onChange={() => onChoose(pin.pin)}
        />
        <span>
          {label} <small>{note}</small>
          <span class="visually-hidden">, {t('wiring.headerPin', { pin: headerPin })}</span>
        </span>
      </label>
    );
  };
  const useOf = (headerPin: number) => {
    const pin = pins.find((one) => one.header_pin === headerPin);
    if (pin === undefined) return supply[headerPin] ?? 'none';
    if (chosen === pin.pin) return 'chosen';
    return pin.pin === own ? 'free' : pin.use;
  };
  return (
    <table class="pin-header">
      <caption>{t('pins.headerCaption')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('pins.inner')}</th>
          <th scope="col">{t('pins.number')}</th>
          <th scope="col">{t('pins.number')}</th>
          <th scope="col">{t('pins.outer')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([left, right]) => (
          <tr key={left}>
            <td data-use={useOf(left)}>{cell(left)}</td>
            <td class="pin-number" data-use={useOf(left)}>
              {left}
            </td>
            <td class="pin-number" data-use={useOf(right)}>
              {right}
            </td>
            <td data-use={useOf(right)}>{cell(right)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Who has the pin, or what it does besides. */
function describeUse({ pin, use, used_by: usedBy, also }: ChoosablePin): DisplayText {
  if (use === 'taken') return usedBy ?? t('pins.uses.taken');
  if (use !== 'reserved') return t('pins.uses.free');
  if (also === null) return t('pins.uses.reserved');
  // Boards of a later daemon may have uses that this page does not know.
  return findText('pins.also', pin) ?? markEnglish(also);
}
