import type { Units } from '../../../web/app/format.ts';
import { formatProblem } from '../../../web/app/problem-text.ts';
import { useResource } from '../../../web/components/use-resource.ts';
import { t } from '../../../web/locales/locale.ts';
import { formatTime } from './sales-data.ts';

/** Files of the watched folder, those that could not be imported first. */
export function WatchedFiles({ units }: { readonly units: Units }) {
  const { result } = useResource('GET /sales-files', {}, { intervalMs: 60_000 });
  if (!result || result.files.length === 0) return null;
  const files = [...result.files].sort(
    (one, other) => Number(other.problem !== null) - Number(one.problem !== null),
  );
  return (
    <section class="group" aria-labelledby="watched-files">
      <h3 id="watched-files">{t('sales.watchedFolder')}</h3>
      <ul class="rows">
        {files.map((file) => (
          <li key={file.path}>
            <div class="row-text">
              <p class="row-name">{file.path}</p>
              <p class={file.problem === null ? 'soft' : 'refusal'}>
                {file.problem === null ? formatTime(file.read_time, units) : formatProblem(file.problem)}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
