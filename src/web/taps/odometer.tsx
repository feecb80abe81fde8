import { Fragment } from 'preact';
import { type DrumCount, decimalPoint, drumText } from '../format.ts';

/** Four drums show a whole jug; a longer pour grows another. */
const fewestDrums = 4;
/** One strip of figures; the drum's window shows one line of it. */
const strip = '0\n1\n2\n3\n4\n5\n6\n7\n8\n9';

/** Figures on drums, as on an old petrol pump. What it shows is what was counted: it never runs ahead. */
export function Odometer({ count }: { readonly count: DrumCount }) {
  const figures = String(count.steps).padStart(Math.max(fewestDrums, count.decimals + 1), '0');
  const firstLit = Math.min(figures.search(/[1-9]|$/), figures.length - 1 - count.decimals);
  return (
    <span class="odometer">
      <span class="unseen odometer-text">{drumText(count)}</span>
      <span class="drums" aria-hidden="true">
        {[...figures].map((figure, place) => {
          // Counted from the right, so that a drum keeps its place when another joins at the left.
          const fromRight = figures.length - place;
          const isDecimal = fromRight <= count.decimals;
          return (
            <Fragment key={fromRight}>
              {isDecimal && <span class="drum-point">{decimalPoint}</span>}
              <span class="drum" data-idle={place < firstLit} data-decimal={isDecimal}>
                <span class="drum-strip" style={{ '--figure': figure }}>
                  {strip}
                </span>
              </span>
            </Fragment>
          );
        })}
      </span>
      <span class="odometer-unit" aria-hidden="true">
        {count.unit}
      </span>
    </span>
  );
}
