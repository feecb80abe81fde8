import { useSignal } from '@preact/signals';
import type { LiveDrink, SnapshotMessage } from '../../../http/live/shapes.ts';
import { barTime, formatBarTime, formatQuantity, type Units, volume } from '../../app/format.ts';
import { allowsClaims, canAct, me, showsDrinkers } from '../../app/me.ts';
import { lazyComponent, toHref } from '../../app/routing.ts';
import { DrinkerLink } from '../../components/drinker-link.tsx';
import { t } from '../../locales/locale.ts';

const Claims = lazyComponent(() => import('./claims.tsx').then((module) => module.default));

const DrinkDialog = lazyComponent(() => import('./drink-dialog.tsx').then((module) => module.default));

/** The last drinks, newest first. Staff touch one to correct it. */
export function DrinkList({ snapshot }: { readonly snapshot: SnapshotMessage }) {
  const { drinks } = snapshot;
  const open = useSignal<LiveDrink | null>(null);
  return (
    <section class="drinks" aria-labelledby="drinks-heading">
      {me.value !== null && allowsClaims.value && <Claims snapshot={snapshot} />}
      <h2 id="drinks-heading" class="drinks-heading">
        {t('drinks.lastDrinks')}
      </h2>
      {drinks.length === 0 ? (
        <p class="drinks-none">{t('drinks.noDrinks')}</p>
      ) : (
        <ol class="drink-rows">
          {drinks.map((drink) => (
            <DrinkRow
              key={drink.id}
              drink={drink}
              units={snapshot}
              onCorrect={() => {
                open.value = drink;
              }}
            />
          ))}
        </ol>
      )}
      {open.value && (
        <DrinkDialog
          drink={open.value}
          snapshot={snapshot}
          onClose={() => {
            open.value = null;
          }}
        />
      )}
    </section>
  );
}

interface DrinkRowProps {
  readonly drink: LiveDrink;
  /** The name that was sent with the pour; staff see it while the drink has no user. */
  readonly claimedName?: string | null | undefined;
  readonly units: Units;
  onCorrect(): void;
}

/** A drink in a list. */
export function DrinkRow({ drink, claimedName, units, onCorrect }: DrinkRowProps) {
  const poured = volume(drink.volume_ml, units);
  const when = barTime(drink.pour_time, units);
  const label = `${formatQuantity(poured)}, ${formatBarTime(when)}`;
  return (
    <li class="drink">
      <span class="drink-volume" data-long={poured.unit.includes('(')}>
        {poured.number}
        <span class="drink-unit"> {poured.unit}</span>
      </span>
      <span class="drink-what">
        <span class="drink-beer">{drink.beverage_name ?? t('drinks.noKegOnTap')}</span>
        <span class="drink-who">
          {showsDrinkers.value && (
            <>
              <DrinkerLink username={drink.user_id} />
              {drink.tap_name && ' · '}
            </>
          )}
          {drink.tap_name}
          {showsDrinkers.value &&
            drink.user_id === null &&
            claimedName &&
            ` · ${t('drinks.nameGiven', { name: claimedName })}`}
        </span>
        {drink.recovered && <span class="drink-note">{t('drinks.recovered')}</span>}
        {drink.flow_while_shut && <span class="drink-note">{t('drinks.flowWhileShut')}</span>}
      </span>
      <time class="drink-time" dateTime={drink.pour_time}>
        <a href={toHref(`/drinks/${drink.id}`)}>
          {!drink.time_certain && <Approximate />}
          {when.clock}
          {when.day !== null && <span class="drink-day"> {when.day}</span>}
        </a>
      </time>
      {canAct.value && (
        <button
          type="button"
          class="drink-correct"
          aria-label={t('drinks.correct', { drink: label })}
          onClick={onCorrect}
        />
      )}
    </li>
  );
}

/** Marks a time that is approximate because the clock was not set. */
function Approximate() {
  return (
    <>
      <span aria-hidden="true" title={t('drinks.clockNotSet')}>
        ≈{' '}
      </span>
      <span class="visually-hidden">{t('drinks.about')} </span>
    </>
  );
}
