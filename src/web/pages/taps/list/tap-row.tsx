import type { LiveTap } from '../../../../http/live/shapes.ts';
import { toHref } from '../../../app/routing.ts';
import { MoveButton } from '../../../components/row-button.tsx';
import { t } from '../../../locales/locale.ts';

/** By how many places, or to which end, a tap is moved. */
type Move = -1 | 1 | 'first' | 'last';

const moveKeys: Readonly<Record<string, Move>> = { ArrowUp: -1, ArrowDown: 1, Home: 'first', End: 'last' };

interface TapRowProps {
  readonly tap: LiveTap;
  /** Id of the text that says how taps are moved. */
  readonly hintId: string;
  /** Place while a tap is dragged. */
  readonly place: number | undefined;
  readonly isDragged: boolean;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  onDragStart(event: PointerEvent): void;
  onMove(by: Move): void;
}

/** One tap: handle, number, name, beer, and buttons that move it. */
export function TapRow({ tap, hintId, place, isDragged, isFirst, isLast, ...actions }: TapRowProps) {
  const { onDragStart, onMove } = actions;
  const facts = [
    tap.keg === null ? t('kegs.noKeg') : (tap.beverage?.name ?? t('kegs.keg', { id: tap.keg.id })),
    tap.meter_name === null ? t('taps.noMeter') : tap.meter_name,
  ];
  return (
    <li class="tap-row" data-dragged={isDragged} style={place === undefined ? undefined : { order: place }}>
      <button
        type="button"
        id={`tap-handle-${tap.id}`}
        class="tap-handle"
        aria-label={t('taps.move', { tap: tap.name })}
        aria-describedby={hintId}
        onPointerDown={onDragStart}
        onKeyDown={(event) => {
          const move = moveKeys[event.key];
          if (move === undefined) return;
          event.preventDefault();
          onMove(move);
        }}
      >
        <svg viewBox="0 0 16 24" width="16" height="24" aria-hidden="true">
          {[4, 12, 20].flatMap((y) => [4, 12].map((x) => <circle key={`${x}/${y}`} cx={x} cy={y} r="2" />))}
        </svg>
      </button>
      <span class="tap-number">
        <span class="visually-hidden">{t('taps.fields.number')} </span>
        {tap.number}
      </span>
      <div class="row-text">
        <p class="row-name">
          <a href={toHref(`/taps/${tap.id}/edit`)}>{tap.name}</a>
        </p>
        <p class="soft">{facts.join(' · ')}</p>
      </div>
      <div class="row-actions">
        <MoveButton
          id={`tap-up-${tap.id}`}
          label={t('common.moveUp', { what: tap.name })}
          sign="↑"
          onMove={isFirst ? null : () => onMove(-1)}
        />
        <MoveButton
          id={`tap-down-${tap.id}`}
          label={t('common.moveDown', { what: tap.name })}
          sign="↓"
          onMove={isLast ? null : () => onMove(1)}
        />
      </div>
    </li>
  );
}
