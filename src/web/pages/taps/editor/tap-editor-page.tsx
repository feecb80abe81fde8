import { Page, type PageProps } from '../../../components/page.tsx';
import { useResource } from '../../../components/use-resource.ts';
import { t } from '../../../locales/locale.ts';
import { ScaleEditor } from '../../scales/scale-editor.tsx';
import { DeleteTap } from './delete-tap.tsx';
import { TapFields } from './tap-fields.tsx';
import { TapLine } from './tap-line.tsx';
import { TapParts } from './tap-parts.tsx';
import '../../../styles/taps/tap-list.css';

/** The editor of a tap for staff: name, number, notes, serving sizes, hardware, line; and deletion. */
export function TapEditorPage({ snapshot, id }: PageProps) {
  const { result, error, isMissing } = useResource('GET /taps/{ref}', { path: { ref: id } });
  const sizes = useResource('GET /serving-sizes').result?.serving_sizes;
  const tap = isMissing ? null : (result?.tap ?? null);
  const liveTap = snapshot.taps.find((one) => one.id === tap?.id);
  return (
    <Page title={tap?.name ?? t('common.tap')} requiredRole="staff" width="form">
      {error !== null && (
        <p class="refusal" role="alert">
          {isMissing ? t('taps.noSuchTap') : error}
        </p>
      )}
      {tap && sizes && (
        <>
          <TapFields
            key={JSON.stringify([tap.name, tap.number, tap.notes, tap.serving_size_ids])}
            tap={tap}
            sizes={sizes}
            units={snapshot}
          />
          <TapParts tap={tap} snapshot={snapshot} />
          <TapLine
            key={JSON.stringify([tap.line_volume_ml, tap.line_to_meter_ml, tap.has_fob])}
            tap={tap}
            units={snapshot}
          />
          <ScaleEditor tap={tap} />
          {liveTap && <DeleteTap tap={liveTap} />}
        </>
      )}
    </Page>
  );
}
