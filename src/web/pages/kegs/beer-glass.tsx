import { beerColor } from './keg-drawing.tsx';

interface BeerGlassProps {
  readonly color?: string | undefined;
  readonly isEmpty: boolean;
}

/** Drawing of a glass in the beer's colour, for beers without a picture. */
export function BeerGlass({ color, isEmpty }: BeerGlassProps) {
  return (
    <svg class="beer-glass" viewBox="0 0 60 80" aria-hidden="true">
      {!isEmpty && (
        <path d="M13 22 L17 72 Q17.3 75 20 75 H40 Q42.7 75 43 72 L47 22 Z" fill={beerColor(color)} />
      )}
      {!isEmpty && (
        <path class="beer-head" d="M12 24 Q9 14 18 13 Q21 6 29 9 Q36 4 41 11 Q51 12 48 24 Q30 28 12 24 Z" />
      )}
      <path
        class="beer-edge"
        d="M11 10 L16 72 Q16.4 76.5 20.5 76.5 H39.5 Q43.6 76.5 44 72 L49 10"
        fill="none"
      />
    </svg>
  );
}
