import { useSignal } from '@preact/signals';
import { toHref } from '../../app/current-path.ts';
import { formatQuantity, percent, type Units, volume } from '../../app/format.ts';
import { canAct } from '../../app/me.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Page, type PageProps } from '../../components/page.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { dataVersion, showToast } from '../../components/toast.tsx';
import { words } from '../../words/pages.ts';
import { say } from '../../words/say.ts';
import { beerColor } from './beer-color.ts';
import { KegActions } from './keg-actions.tsx';
import { type Beverage, type Keg, useBeverages } from './keg-data.ts';
import { KegDrawing } from './keg-drawing.tsx';
import { NewKeg } from './new-keg.tsx';

const states = ['on_tap', 'available', 'finished'] as const;

/** All kegs by state: on tap, available, finished. */
export function KegsPage({ snapshot }: PageProps) {
  const beverages = useBeverages();
  const selected = useSignal<Keg | null>(null);
  const isNew = useSignal(false);
  const kegName = (keg: Keg) => beverages.value.get(keg.type_id)?.name ?? say.keg(keg.id);
  function finish(message: string) {
    selected.value = null;
    isNew.value = false;
    showToast(message);
  }
  // Kegs also change in other browsers and by pours: the live state shows when to load the lists again.
  const tappedKegs = snapshot.taps.map(({ keg }) => `${keg?.id}:${keg?.volume_ml_remain}`).join();
  return (
    <Page title={words.kegs}>
      {canAct.value && (
        <p>
          <button type="button" class="button" onClick={() => (isNew.value = true)}>
            {words.newKeg}
          </button>
        </p>
      )}
      {states.map((state) => (
        <section key={state} class="group" aria-labelledby={`kegs-${state}`}>
          <h3 id={`kegs-${state}`}>{words.states[state]}</h3>
          <PagedList<Keg>
            path={`/kegs?state=${state}`}
            itemsKey="kegs"
            label={words.states[state] ?? state}
            empty={words.noKegs[state] ?? ''}
            class="keg-cards"
            reloadKey={`${tappedKegs}/${dataVersion.value}`}
            renderItem={(keg) => (
              <KegCard
                key={keg.id}
                keg={keg}
                beverage={beverages.value.get(keg.type_id)}
                units={snapshot}
                onManage={canAct.value ? () => (selected.value = keg) : null}
              />
            )}
          />
        </section>
      ))}
      {selected.value && (
        <Dialog
          title={`${kegName(selected.value)} · ${say.keg(selected.value.id)}`}
          onClose={() => (selected.value = null)}
        >
          <KegActions keg={selected.value} snapshot={snapshot} onDone={finish} />
        </Dialog>
      )}
      {isNew.value && (
        <Dialog title={words.newKeg} onClose={() => (isNew.value = false)}>
          <NewKeg onDone={() => finish(words.addedToStock)} />
        </Dialog>
      )}
    </Page>
  );
}

interface KegCardProps {
  readonly keg: Keg;
  readonly beverage: Beverage | undefined;
  readonly units: Units;
  readonly onManage: (() => void) | null;
}

function KegCard({ keg, beverage, units, onManage }: KegCardProps) {
  const name = beverage?.name ?? say.keg(keg.id);
  return (
    <li class="keg-card">
      <div class="keg-card-keg">
        <KegDrawing level={keg.percent_full} color={beerColor(beverage?.color_hex)} pouring={false} />
      </div>
      <div class="keg-card-words">
        <a class="keg-card-name" href={toHref(`/kegs/${keg.id}`)}>
          {name}
        </a>
        <p class="soft">{[beverage?.producer.name, say.keg(keg.id)].filter(Boolean).join(' · ')}</p>
        <p>
          {words.leftOf(
            formatQuantity(volume(Math.max(0, keg.volume_ml_remain), units)),
            formatQuantity(volume(keg.full_volume_ml, units)),
          )}{' '}
          <span class="soft">({percent(keg.percent_full)} %)</span>
        </p>
        {onManage && (
          <button
            type="button"
            class="chip"
            aria-label={words.manageKeg(`${name}, ${say.keg(keg.id)}`)}
            onClick={onManage}
          >
            <span aria-hidden="true">•••</span>
          </button>
        )}
      </div>
    </li>
  );
}
