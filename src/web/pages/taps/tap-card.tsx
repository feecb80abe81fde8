import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { numberBeforeName } from '../../../core/taps/tap-names.ts';
import { isTapClosed, tapState } from '../../../core/taps/tap-state.ts';
import type { LiveTap, SnapshotMessage } from '../../../http/live/shapes.ts';
import {
  barTime,
  drumCount,
  formatBarTime,
  formatServingPrice,
  strength,
  type Units,
} from '../../app/format.ts';
import type { CurrentPour } from '../../app/live.ts';
import { isStaff } from '../../app/me.ts';
import { formatProblem } from '../../app/problem-text.ts';
import { toHref } from '../../app/routing.ts';
import { t } from '../../locales/locale.ts';
import { beerColor, KegDrawing } from '../kegs/keg-drawing.tsx';
import { KegQuestion } from './keg-question.tsx';
import { Odometer } from './odometer.tsx';
import { PourButton } from './pour-button.tsx';
import { TapFacts } from './tap-facts.tsx';

/** A name of more characters is set in smaller type. */
const longNameLength = 22;

interface TapCardProps {
  readonly tap: LiveTap;
  readonly pour: ReadonlySignal<CurrentPour | null>;
  readonly snapshot: SnapshotMessage;
  /** Set when the user may manage this tap. */
  readonly onManage?: (() => void) | undefined;
}

/** Card of a tap: beer, keg, remaining volume and meter. */
export function TapCard({ tap, pour, snapshot, onManage }: TapCardProps) {
  const headingId = useId();
  // What flows through a closed line is no pour.
  const now = isTapClosed(tap.state) ? null : pour.value;
  const state = tapState(tap.state, now?.running ?? false);
  const running = state === 'pouring';
  // A pour is recorded when it ends; the level shown falls while it runs.
  const remainMl = tap.keg ? tap.keg.volume_ml_remain - (now?.volumeMl ?? 0) : null;
  const beer = tap.beverage?.name ?? (tap.keg ? t('kegs.keg', { id: tap.keg.id }) : t('kegs.noKeg'));
  const level = tap.keg && remainMl !== null ? toLevel(tap.keg, remainMl) : null;

  return (
    <li class={running ? 'tap is-pouring' : 'tap'} data-state={state}>
      <article class="tap-body" aria-labelledby={headingId}>
        <header class="tap-head">
          <p class="tap-name">
            <span class="tap-name-text" data-long={tap.name.length > longNameLength} title={tap.name}>
              {numberBeforeName(tap)}
              <a href={toHref(`/taps/${tap.id}`)}>{tap.name}</a>
            </span>
          </p>
          {onManage && (
            <button
              type="button"
              class="tap-manage"
              aria-label={t('taps.manageTap', { tap: tap.name })}
              onClick={onManage}
            >
              <span aria-hidden="true">•••</span>
            </button>
          )}
          <h3 class="tap-beer" id={headingId} data-long={beer.length > longNameLength} title={beer}>
            {beer}
          </h3>
          <BeerLine tap={tap} />
          <TapPrices tap={tap} units={snapshot} />
          <TapNext tap={tap} />
        </header>
        <div class="tap-keg">
          <KegDrawing level={level} color={beerColor(tap.beverage?.color_hex)} pouring={running} />
        </div>
        <div class="facts">
          <TapFacts
            tap={tap}
            remainMl={remainMl}
            level={level}
            lowShare={snapshot.keg_low_share}
            units={snapshot}
          />
          {onManage && <KegQuestion tap={tap} units={snapshot} />}
          {onManage && tap.keg === null && (
            <button type="button" class="button tap-empty" onClick={onManage}>
              {t('taps.tapAKeg')}
              <span class="visually-hidden"> {t('taps.atTap', { tap: tap.name })}</span>
            </button>
          )}
        </div>
        <MeterPlate
          tap={tap}
          now={now}
          units={snapshot}
          isStaff={onManage !== undefined}
          pourButton={snapshot.simulated && <PourButton tap={tap} pouring={running} snapshot={snapshot} />}
        />
      </article>
    </li>
  );
}

function BeerLine({ tap }: { readonly tap: LiveTap }) {
  if (!tap.beverage) return tap.keg && <p class="tap-line">{t('kegs.unnamedBeer')}</p>;
  const { producer, style, abv } = tap.beverage;
  const line = [producer, style].filter(Boolean).join(' · ');
  return (
    <p class="tap-line">
      <span class="tap-brewery" title={line}>
        {line}
      </span>
      {abv !== null && <span class="tap-abv">{strength(abv)}</span>}
    </p>
  );
}

interface MeterPlateProps {
  readonly tap: LiveTap;
  readonly now: CurrentPour | null;
  readonly units: Units;
  /** Whether the state of the meter is shown, which guests cannot change. */
  readonly isStaff: boolean;
  /** Button of a simulated meter. */
  readonly pourButton: ComponentChildren;
}

/** Meter at the foot of the card: the running pour, else the last one, else why there is none. */
function MeterPlate({ tap, now, units, isStaff, pourButton }: MeterPlateProps) {
  if (tap.meter_state === 'unmetered') {
    if (!isStaff) return null;
    return (
      <div class="meter" data-state="none">
        <p class="meter-caption">{t('taps.unmetered')}</p>
      </div>
    );
  }
  const state = now ? (now.running ? 'running' : 'ended') : 'idle';
  return (
    <div class="meter" data-state={state}>
      {isStaff && tap.meter_problem !== null && (
        <p class="meter-problem">
          <strong>{tap.meter_state === 'fault' ? t('taps.notCounting') : t('taps.countingWithGaps')}</strong>{' '}
          {formatProblem(tap.meter_problem)}
        </p>
      )}
      <div class="meter-text">
        <p class="meter-caption">{meterCaption(now, tap.last_drink, units)}</p>
        {isStaff && <MeterState tap={tap} units={units} />}
      </div>
      {pourButton}
      <Odometer count={drumCount(now ? now.volumeMl : (tap.last_drink?.volume_ml ?? 0), units)} />
    </div>
  );
}

/** State of the meter; a problem is shown above instead. */
function MeterState({ tap, units }: { readonly tap: LiveTap; readonly units: Units }) {
  const { meter_state: state, meter_seen_time: seen } = tap;
  if (tap.meter_problem !== null) return null;
  if (!tap.calibrated && state !== 'silent') return <Uncalibrated tap={tap} />;
  // Nothing shows that a meter counts which has counted no pour.
  if (state === 'counting' && tap.last_drink === null) return null;
  const silentText = () =>
    seen === null
      ? t('taps.meterSilent')
      : t('taps.meterSilentSince', { time: formatBarTime(barTime(seen, units)) });
  return (
    <p class="meter-state" data-meter={state}>
      {state === 'silent'
        ? silentText()
        : state === 'simulated'
          ? t('taps.meterSimulated')
          : t('taps.meterCounts')}
    </p>
  );
}

/** Says that the volumes are estimates; staff reach the calibration from it. */
function Uncalibrated({ tap }: { readonly tap: LiveTap }) {
  return (
    <p class="meter-state" data-meter="losing">
      {isStaff.value ? (
        <a href={toHref(`/taps/${tap.id}/calibrate`)}>{t('taps.uncalibrated')}</a>
      ) : (
        t('taps.uncalibrated')
      )}
    </p>
  );
}

function meterCaption(now: CurrentPour | null, lastDrink: LiveTap['last_drink'], units: Units): string {
  if (now) return now.running ? t('taps.pouring') : t('taps.poured');
  if (!lastDrink) return t('taps.noPourYet');
  return t(lastDrink.time_certain ? 'taps.lastPour' : 'taps.lastPourAbout', {
    time: formatBarTime(barTime(lastDrink.pour_time, units)),
  });
}

function toLevel(keg: NonNullable<LiveTap['keg']>, remainMl: number): number {
  return keg.full_volume_ml > 0 ? remainMl / keg.full_volume_ml : keg.percent_full;
}

/** Prices at a tap, as many as fit in one line; renders nothing without a price. */
function TapPrices({ tap, units }: { readonly tap: LiveTap; readonly units: Units }) {
  if (tap.keg === null || tap.prices.length === 0) return null;
  const prices = tap.prices.map((price) => formatServingPrice(price, units));
  return (
    <ul class="tap-prices" title={prices.map(({ sum, serving }) => `${serving} ${sum}`).join(' · ')}>
      {prices.map(({ sum, serving }, index) => (
        <li key={tap.prices[index]?.serving_size_id}>
          <span class="tap-serving">{serving}</span> {sum}
        </li>
      ))}
    </ul>
  );
}

/** Next beer of a tap; renders nothing when none is set. */
function TapNext({ tap }: { readonly tap: LiveTap }) {
  if (tap.next === null) return null;
  const text = t('taps.nextOnTap', { beer: tap.next.name });
  return (
    <p class="tap-next" title={text}>
      {text}
    </p>
  );
}
