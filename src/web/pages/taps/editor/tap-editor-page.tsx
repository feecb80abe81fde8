import type { SnapshotMessage } from '../../../../http/live/shapes.ts';
import type { Result } from '../../../api/client.ts';
import { TapForms } from '../../../app/slots.tsx';
import { ErrorMessage } from '../../../components/action.tsx';
import { Page, type PageProps } from '../../../components/page.tsx';
import { useResource } from '../../../components/use-resource.ts';
import { t } from '../../../locales/locale.ts';
import { DeleteTap } from './delete-tap.tsx';
import { TapFields } from './tap-fields.tsx';
import { TapLine } from './tap-line.tsx';
import { TapParts } from './tap-parts.tsx';
import '../../../styles/taps/tap-list.css';

/** The editor of a tap for staff: name, number, notes, serving sizes, hardware, line; and deletion. */
export function TapEditorPage({ snapshot, id }: PageProps) {
  const { result, error, isMissing } = useResource('GET /taps/{ref}', { path: { ref: id } });
  const tap = isMissing ? null : (result?.tap ?? null);
  return (
    <Page title={tap?.name ?? t('common.tap')} requiredRole="staff" width="form">
      <ErrorMessage>{isMissing ? t('taps.noSuchTap') : error}</ErrorMessage>
      {tap && <TapEditor tap={tap} snapshot={snapshot} />}
    </Page>
  );
}

interface TapEditorProps {
  readonly tap: Result<'GET /taps/{ref}'>['tap'];
  readonly snapshot: SnapshotMessage;
}

/** All forms at once: one that came later would move those below it while somebody types. */
function TapEditor({ tap, snapshot }: TapEditorProps) {
  const all = { query: { limit: 1000 } };
  const sizes = useResource('GET /serving-sizes');
  const meters = useResource('GET /flow-meters', all);
  const toggles = useResource('GET /flow-toggles', all);
  const sensors = useResource('GET /thermo-sensors', all);
  const loads = [sizes, meters, toggles, sensors];
  const error = loads.map((load) => load.error).find((fault) => fault !== null) ?? null;
  if (loads.some(({ result, error: fault }) => result === null && fault === null))
    return <p class="soft">{t('app.loading')}</p>;
  const liveTap = snapshot.taps.find((one) => one.id === tap.id);
  return (
    <>
      <ErrorMessage>{error}</ErrorMessage>
      {sizes.result && (
        <TapFields key={tap.id} tap={tap} sizes={sizes.result.serving_sizes} units={snapshot} />
      )}
      <TapParts
        tap={tap}
        snapshot={snapshot}
        meters={meters.result?.flow_meters}
        toggles={toggles.result?.flow_toggles}
        sensors={sensors.result?.thermo_sensors}
      />
      <TapLine key={`line of ${tap.id}`} tap={tap} units={snapshot} />
      <TapForms tap={tap} units={snapshot} />
      {liveTap && <DeleteTap tap={liveTap} units={snapshot} />}
    </>
  );
}
