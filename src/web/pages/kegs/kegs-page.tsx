import { useSignal } from '@preact/signals';
import { Page, type PageProps } from '../../components/page.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { toHref } from '../../current-path.ts';
import { Dialog } from '../../dialog.tsx';
import { inWords, percent, type Units, volume } from '../../format.ts';
import { mayAct } from '../../me.ts';
import { beerColor } from '../../taps/beer-color.ts';
import { KegDrawing } from '../../taps/keg-drawing.tsx';
import { dataVersion, showToast } from '../../toast.tsx';
import { words } from '../../words/house.ts';
import { say } from '../../words/say.ts';
import { type Beer, type Keg, useBeers } from './cellar.ts';
import { KegActions } from './keg-actions.tsx';
import { NewKeg } from './new-keg.tsx';

const states = ['on_tap', 'available', 'finished'] as const;

/** The kegs of the house by where they are: on a tap, in the cellar, finished. */
export function KegsPage({ app }: PageProps) {
  const beers = useBeers();
  const open = useSignal<Keg | null>(null);
  const isNew = useSignal(false);
  const nameOf = (keg: Keg) => beers.value.get(keg.type_id)?.name ?? say.keg(keg.id);
  function done(sentence: string) {
    open.value = null;
    isNew.value = false;
    showToast(sentence);
  }
  // Kegs also change by hands elsewhere; the live picture tells which are on the taps, and how full.
  const onTaps = app.taps.map(({ keg }) => `${keg?.id}:${keg?.volume_ml_remain}`).join();
  return (
    <Page title={words.kegs}>
      {mayAct.value && (
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
            reloadKey={`${onTaps}/${dataVersion.value}`}
            renderItem={(keg) => (
              <KegCard
                key={keg.id}
                keg={keg}
                beer={beers.value.get(keg.type_id)}
                units={app}
                onManage={mayAct.value ? () => (open.value = keg) : null}
              />
            )}
          />
        </section>
      ))}
      {open.value && (
        <Dialog
          title={`${nameOf(open.value)} · ${say.keg(open.value.id)}`}
          onClose={() => (open.value = null)}
        >
          <KegActions keg={open.value} app={app} onDone={done} />
        </Dialog>
      )}
      {isNew.value && (
        <Dialog title={words.newKeg} onClose={() => (isNew.value = false)}>
          <NewKeg onDone={() => done(words.inCellar)} />
        </Dialog>
      )}
    </Page>
  );
}

interface KegCardProps {
  readonly keg: Keg;
  readonly beer: Beer | undefined;
  readonly units: Units;
  readonly onManage: (() => void) | null;
}

function KegCard({ keg, beer, units, onManage }: KegCardProps) {
  const name = beer?.name ?? say.keg(keg.id);
  return (
    <li class="keg-card">
      <div class="keg-card-keg">
        <KegDrawing level={keg.percent_full} color={beerColor(beer?.color_hex)} pouring={false} />
      </div>
      <div class="keg-card-words">
        <a class="keg-card-name" href={toHref(`/kegs/${keg.id}`)}>
          {name}
        </a>
        <p class="soft">{[beer?.producer.name, say.keg(keg.id)].filter(Boolean).join(' · ')}</p>
        <p>
          {words.leftOf(
            inWords(volume(Math.max(0, keg.volume_ml_remain), units)),
            inWords(volume(keg.full_volume_ml, units)),
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
