import type { Signal } from '@preact/signals';
import type { LiveTap, SnapshotMessage } from '../../../http/live/shapes.ts';
import type { LiveState } from '../../app/live.ts';
import { canAct, isStaff } from '../../app/me.ts';
import { lazyComponent } from '../../app/routing.ts';
import { EmptyContent } from '../../components/empty-state.tsx';
import { t } from '../../locales/locale.ts';
import { TapCard } from './tap-card.tsx';

const TapDialog = lazyComponent(() => import('./tap-dialog.tsx').then((module) => module.default));

interface TapGridProps {
  readonly taps: readonly LiveTap[];
  readonly snapshot: SnapshotMessage;
  readonly live: LiveState;
  /** Id of the tap whose dialog is open; null for none. */
  readonly managedTapId: Signal<string | null>;
}

/** Cards of all taps in the configured order. */
export function TapGrid({ taps, snapshot, live, managedTapId }: TapGridProps) {
  const open = taps.find((tap) => tap.id === managedTapId.value);
  return (
    <section class="taps" aria-labelledby="taps-heading">
      <h2 id="taps-heading" class="visually-hidden">
        {t('taps.onTap')}
      </h2>
      {taps.length === 0 ? (
        <div class="taps-none">
          <EmptyContent
            text={t('taps.none')}
            picture="keg"
            action={isStaff.value ? t('taps.add') : undefined}
            path="/taps"
          />
        </div>
      ) : (
        <ul class="tap-grid" data-columns={pickColumns(taps.length)} data-many={taps.length > 3}>
          {taps.map((tap) => (
            <TapCard
              key={tap.id}
              tap={tap}
              pour={live.currentPour(tap.id)}
              snapshot={snapshot}
              onManage={canAct.value ? () => (managedTapId.value = tap.id) : undefined}
            />
          ))}
        </ul>
      )}
      {open && <TapDialog tap={open} snapshot={snapshot} onClose={() => (managedTapId.value = null)} />}
    </section>
  );
}

/** Chooses the columns on a large screen for rows of equal length: four taps are 2 × 2, not 3 + 1. */
function pickColumns(taps: number): number {
  if (taps <= 3) return Math.max(1, taps);
  if (taps === 4) return 2;
  return taps <= 9 ? 3 : 4;
}
