import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { request } from '../../../api/client.ts';
import type { ListedKeg } from '../../../api/generated.ts';
import { formatQuantity, type Units, volume } from '../../../app/format.ts';
import { isStaff } from '../../../app/me.ts';
import { readKegsInOrder } from '../../../app/slots.tsx';
import { Choice } from '../../../components/form/choice.tsx';
import { t } from '../../../locales/locale.ts';

/** The kegs in stock; for staff in the order in which they should be used. Null when they cannot be loaded. */
async function loadKegs(): Promise<readonly ListedKeg[] | null> {
  const answer = await request('GET /kegs', { query: { state: 'available', limit: 50 } });
  if (!answer.ok) return null;
  const { kegs } = answer.result;
  const ids = isStaff.value ? await readKegsInOrder() : null;
  if (ids === null) return kegs;
  const order = new Map(ids.map((id, position) => [id, position]));
  return kegs.toSorted((one, other) => (order.get(one.id) ?? 0) - (order.get(other.id) ?? 0));
}

interface KegPickerProps {
  readonly units: Units;
  /** A keg that is offered elsewhere. */
  readonly exceptId?: number | null;
  onChoose(kegId: number): void;
}

/** Chooses a keg in stock; renders nothing before the kegs are loaded. */
export function KegPicker({ units, exceptId, onChoose }: KegPickerProps) {
  const kegs = useSignal<readonly ListedKeg[] | null>(null);
  useEffect(() => {
    void loadKegs().then((found) => {
      if (found !== null) kegs.value = found.filter(({ id }) => id !== exceptId);
    });
  }, []);
  if (kegs.value === null) return null;
  if (kegs.value.length === 0) return exceptId == null ? <p class="soft">{t('kegs.inStockNone')}</p> : null;
  return (
    <fieldset class="choice">
      <legend>{t('taps.tapKeg')}</legend>
      {kegs.value.map((keg) => (
        <Choice key={keg.id} onChoose={() => onChoose(keg.id)}>
          {keg.beverage.name} · {formatQuantity(volume(keg.volume_ml_remain, units))}
        </Choice>
      ))}
    </fieldset>
  );
}
