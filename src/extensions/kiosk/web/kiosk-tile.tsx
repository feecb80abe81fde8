import type { ReadonlySignal } from '@preact/signals';
import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { isTapClosed } from '../../../core/taps/tap-state.ts';
import type { LiveTap, SnapshotMessage } from '../../../http/live/shapes.ts';
import type { BeerType } from '../../../web/api/generated.ts';
import { drumCount } from '../../../web/app/format.ts';
import type { CurrentPour } from '../../../web/app/live.ts';
import { showsDrinkers } from '../../../web/app/me.ts';
import { t } from '../../../web/locales/locale.ts';
import { BeerGlass } from '../../../web/pages/kegs/beer-glass.tsx';
import { beerColor } from '../../../web/pages/kegs/keg-drawing.tsx';
import { Odometer } from '../../../web/pages/taps/odometer.tsx';
import type { KioskLayout } from './kiosk-layout.ts';
import type { KioskOptions } from './kiosk-options.ts';
import type { PriceGrid } from './tile-prices.ts';
import { sizeTile } from './tile-sizes.ts';
import { joinTexts, nameBesideNumber, writeTileTexts } from './tile-texts.ts';
import type { Fonts } from './use-screen.ts';

/** What all tiles of a screen share. */
export interface TileContext {
  readonly snapshot: SnapshotMessage;
  readonly options: KioskOptions;
  readonly layout: KioskLayout;
  readonly fonts: Fonts;
  /** False while the daemon is unreachable: then nothing moves. */
  readonly isLive: boolean;
}

interface KioskTileProps {
  readonly tap: LiveTap;
  readonly number: string;
  readonly pour: ReadonlySignal<CurrentPour | null>;
  readonly beverage: BeerType | null;
  readonly context: TileContext;
}

/** A tap on the kiosk. Every text has the largest size at which it fits. */
export function KioskTile({ tap, number, pour, beverage, context }: KioskTileProps) {
  const { snapshot, options, layout, fonts, isLive } = context;
  const headingId = useId();
  const isClosed = isTapClosed(tap.state);
  const now = options.hide.has('pours') || isClosed ? null : pour.value;
  const isPouring = (now?.running ?? false) && isLive;
  const isRow = layout.shape === 'row';
  const allTexts = writeTileTexts({
    tap,
    beverage,
    snapshot,
    options,
    pouredMl: pour.value?.volumeMl ?? 0,
    showsDrinkers: showsDrinkers.value,
  });
  // A row has one line for both.
  const texts = isRow
    ? { ...allTexts, maker: joinTexts([allTexts.maker, allTexts.facts]), facts: null }
    : allTexts;
  const tapName = nameBesideNumber(tap.name, number);
  const sizes = sizeTile({ texts, tapName, layout, fonts });
  const color = beerColor(tap.beverage?.color_hex);
  const { level } = texts;
  return (
    <li
      class="kiosk-tile"
      data-shape={layout.shape}
      data-picture={!options.hide.has('pictures')}
      data-pouring={isPouring}
      data-empty={tap.keg === null || isClosed}
      data-closed={isClosed}
      style={{ '--beer': color }}
    >
      <article class="kiosk-tile-body" aria-labelledby={headingId}>
        <p class="kiosk-tap">
          <span class="kiosk-number">{number}</span>
          {!isRow && (
            <span class="kiosk-tap-name" style={{ fontSize: `${sizes.tapName}em` }}>
              {tapName}
            </span>
          )}
        </p>
        {sizes.prices && <TilePrices grid={sizes.prices} />}
        {!options.hide.has('pictures') && <TilePicture tap={tap} beverage={beverage} />}
        <div class="kiosk-text">
          <h3 class="kiosk-beer" id={headingId} style={{ fontSize: `${sizes.name}em` }}>
            {texts.name}
          </h3>
          {texts.maker && (
            <p class="kiosk-maker" style={{ fontSize: `${sizes.maker}em` }}>
              {texts.maker}
            </p>
          )}
          {texts.facts && (
            <p class="kiosk-facts" style={{ fontSize: `${sizes.facts}em` }}>
              {texts.facts}
            </p>
          )}
          {texts.description && sizes.descriptionLines > 0 && (
            <p class="kiosk-description" style={{ '--lines': String(sizes.descriptionLines) }}>
              {texts.description}
            </p>
          )}
        </div>
        {level && (
          <div class="kiosk-level" data-low={level.isLow}>
            <span class="kiosk-level-bar" aria-hidden="true">
              <span style={{ transform: `translateX(${(level.share - 1) * 100}%)` }} />
            </span>
            {!(isRow && now) && (
              <p style={{ fontSize: `${sizes.level}em` }}>
                <span class="kiosk-left">{level.left}</span>
                {!isRow && <span>{level.note}</span>}
              </p>
            )}
          </div>
        )}
        {(layout.hasFoot || isRow) && (
          <div class="kiosk-foot" data-state={now ? (isPouring ? 'running' : 'ended') : 'idle'}>
            {now ? (
              <>
                {!isRow && (
                  <p class="kiosk-pouring" style={{ fontSize: `${sizes.pouring}em` }}>
                    {t(now.running ? 'taps.pouring' : 'taps.poured')}
                  </p>
                )}
                <Odometer count={drumCount(now.volumeMl, snapshot)} />
              </>
            ) : (
              !isRow && texts.foot && <p style={{ fontSize: `${sizes.foot}em` }}>{texts.foot}</p>
            )}
          </div>
        )}
      </article>
    </li>
  );
}

/** One price for each serving size, as far as they fit. */
function TilePrices({ grid: { prices, columns, sizeEm, servingEm } }: { readonly grid: PriceGrid }) {
  return (
    <ul class="kiosk-prices" style={{ fontSize: `${sizeEm}em`, '--columns': String(columns) }}>
      {prices.map(({ sum, serving }) => (
        <li key={serving}>
          {sum}{' '}
          <span class="kiosk-serving" style={{ fontSize: `${servingEm}em` }}>
            {serving}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The label's picture, else the brewery's, else a glass in the beer's colour. */
function TilePicture({ tap, beverage }: Pick<KioskTileProps, 'tap' | 'beverage'>) {
  const failedUrl = useSignal('');
  const picture = beverage?.picture ?? beverage?.producer.picture ?? null;
  const isEmpty = tap.keg === null || isTapClosed(tap.state);
  const url = isEmpty ? null : (picture?.resized_url ?? tap.beverage?.picture_url ?? null);
  return (
    <div class="kiosk-picture">
      {url === null || url === failedUrl.value ? (
        <BeerGlass color={tap.beverage?.color_hex} isEmpty={isEmpty} />
      ) : (
        <img src={url} alt="" onError={() => (failedUrl.value = url)} />
      )}
    </div>
  );
}
