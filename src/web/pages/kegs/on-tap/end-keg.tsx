import { useSignal } from '@preact/signals';
import type { LiveTap } from '../../../../http/live/shapes.ts';
import { type Answer, request } from '../../../api/client.ts';
import { Choice } from '../../../components/form/choice.tsx';
import type { Undoable } from '../../../components/undo.ts';
import { t } from '../../../locales/locale.ts';

interface EndKegChoicesProps {
  readonly tap: Pick<LiveTap, 'id' | 'has_fob'>;
  onEnd(send: () => Promise<Answer<Undoable>>): void;
}

/**
 * The button that ends the keg on a tap. With a foam-on-beer detector no gas shows that a keg is empty, so staff are asked: the meter
 * learns from kegs that ran dry only. Use it inside an `ActionGroup`.
 */
export function EndKegChoices({ tap, onEnd }: EndKegChoicesProps) {
  const isAsking = useSignal(false);
  const end = (body: { ran_dry?: boolean }) => {
    isAsking.value = false;
    onEnd(() => request('POST /taps/{ref}/end-keg', { path: { ref: tap.id }, body }));
  };
  const askOrEnd = () => {
    if (tap.has_fob) isAsking.value = true;
    else end({});
  };
  if (!isAsking.value) return <Choice onChoose={askOrEnd}>{t('kegs.endKeg')}</Choice>;
  return (
    <>
      <p class="choice-why">{t('kegs.ranDryQuestion')}</p>
      <Choice onChoose={() => end({ ran_dry: true })}>{t('kegs.ranDry')}</Choice>
      <Choice onChoose={() => end({ ran_dry: false })}>{t('kegs.changedEarly')}</Choice>
      <Choice onChoose={() => (isAsking.value = false)}>{t('common.cancel')}</Choice>
    </>
  );
}
