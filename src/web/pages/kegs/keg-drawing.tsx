import { useId } from 'preact/hooks';
import { percent } from '../../app/format.ts';
import { t } from '../../locales/locale.ts';

/** Top and bottom of the beer in a full keg, in drawing units from the top. */
const brimY = 66;
const floorY = 270;
/** Outline of the barrel with its two rolling hoops. */
const barrel =
  'M40 46 C26 46 22 56 22 68 V112 C22 115 16 116 16 121 V127 C16 132 22 133 22 136 V196 C22 199 16 200 16 205 V211 C16 216 22 217 22 220 V262 C22 276 28 286 42 286 H158 C172 286 178 276 178 262 V220 C178 217 184 216 184 211 V205 C184 200 178 199 178 196 V136 C178 133 184 132 184 127 V121 C184 116 178 115 178 112 V68 C178 56 174 46 160 46 Z';

const collar = 'M36 10 Q36 5 42 5 H158 Q164 5 164 10 L160 30 L168 50 H32 L40 30 Z';
const foot = 'M34 280 H166 L160 296 L164 310 Q164 315 158 315 H42 Q36 315 36 310 L40 296 Z';

interface KegDrawingProps {
  /** Share of the keg that is left; null without a keg. Values below 0 or above 1 are drawn as 0 or 1. */
  readonly level: number | null;
  readonly color: string;
  readonly pouring: boolean;
}

/** Drawing of a transparent steel keg with the beer at its level, in the beer's colour. */
export function KegDrawing({ level, color, pouring }: KegDrawingProps) {
  const id = useId();
  if (level === null) return <NoKeg />;
  const held = Math.min(1, Math.max(0, level));
  const surfaceY = floorY - held * (floorY - brimY);
  return (
    <svg
      class={pouring ? 'keg is-pouring' : 'keg'}
      viewBox="0 0 200 320"
      role="img"
      aria-label={t('kegs.kegFull', { percent: percent(level) })}
    >
      <defs>
        <clipPath id={`${id}-inside`}>
          <path d={barrel} />
        </clipPath>
        <linearGradient id={`${id}-round`} x1="0" x2="1" y1="0" y2="0">
          <stop offset="0" stop-color="#000" stop-opacity="0.42" />
          <stop offset="0.16" stop-color="#000" stop-opacity="0.08" />
          <stop offset="0.24" stop-color="#fff" stop-opacity="0.34" />
          <stop offset="0.34" stop-color="#fff" stop-opacity="0.06" />
          <stop offset="0.66" stop-color="#000" stop-opacity="0.04" />
          <stop offset="1" stop-color="#000" stop-opacity="0.46" />
        </linearGradient>
      </defs>
      <KegRims roundness={`url(#${id}-round)`} />
      <path class="keg-hollow" d={barrel} />
      {held > 0 && (
        <g clip-path={`url(#${id}-inside)`}>
          <g transform={`translate(0 ${surfaceY.toFixed(2)})`}>
            <rect x="0" y="0" width="200" height="320" fill={color} />
            <g class="keg-bubbles">
              <circle cx="62" cy="150" r="4" />
              <circle cx="96" cy="150" r="2.5" />
              <circle cx="118" cy="150" r="5" />
              <circle cx="146" cy="150" r="3" />
            </g>
            <ellipse class="keg-foam" cx="100" cy="0" rx="86" ry="11" />
            <ellipse cx="100" cy="2.5" rx="76" ry="7" fill={color} opacity="0.55" />
          </g>
        </g>
      )}
      <path d={barrel} fill={`url(#${id}-round)`} />
      <path class="keg-hoop" d="M16 121 Q100 139 184 121 V127 Q100 145 16 127 Z" />
      <path class="keg-hoop" d="M16 205 Q100 223 184 205 V211 Q100 229 16 211 Z" />
      <path class="keg-outline" d={barrel} />
    </svg>
  );
}

/** Collar with two grips, and foot ring. */
function KegRims({ roundness }: { readonly roundness: string }) {
  return (
    <>
      {[collar, foot].map((rim) => (
        <g key={rim}>
          <path class="keg-steel" d={rim} />
          <path d={rim} fill={roundness} />
          <path class="keg-outline" d={rim} />
        </g>
      ))}
      <rect class="keg-grip" x="56" y="19" width="32" height="11" rx="5.5" />
      <rect class="keg-grip" x="112" y="19" width="32" height="11" rx="5.5" />
    </>
  );
}

function NoKeg() {
  return (
    <svg class="keg keg-missing" viewBox="0 0 200 320" role="img" aria-label={t('kegs.noKeg')}>
      <path d={barrel} />
    </svg>
  );
}

/** Amber, for a beer without a colour. */
const amber = '#c35900';

/** Returns a valid CSS colour: `#rgb` or `#rrggbb`, else amber. */
export function beerColor(hex: string | undefined): string {
  return hex !== undefined && /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(hex) ? hex : amber;
}
