import { chooseLanguage } from '../../core/locales/choose-language.ts';
import type { Beverage, Keg } from '../../core/records.ts';
import { isTapClosed } from '../../core/taps/tap-state.ts';
import type { Engine, TapView } from '../../engine/engine.ts';
import { daemonTexts, listLanguages } from '../../system/catalogues.ts';
import type { KegWithBeer } from './kegbot-beer.ts';

/** A keg with its beverage and size, which every keg has. */
export function kegWithBeer(engine: Engine, keg: Keg, beverage?: Beverage): KegWithBeer {
  const content = beverage ?? engine.kegs.beverage(keg.beverageId);
  const size = engine.kegs.sizes().find(({ id }) => id === keg.sizeId);
  if (!content || !size) throw new Error(`Keg ${keg.id} has no beverage or no size.`);
  return { keg, beverage: content, size };
}

/** The tap, whose keg says in its description that nobody may drink: the forms have no other text for it. */
export function describeClosedTap(engine: Engine, view: TapView): TapView {
  const { keg, state } = view;
  if (keg === null || !isTapClosed(state)) return view;
  const { t } = daemonTexts(chooseLanguage([engine.users.site().locale], listLanguages()));
  const description = [t(`menu.closed.${state}`), keg.description].filter((text) => text !== '').join('\n');
  return { ...view, keg: { ...keg, description } };
}
