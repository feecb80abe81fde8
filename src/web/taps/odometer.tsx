import { Fragment } from 'preact';
import { type DrumCount, decimalPoint, drumText } from '../format.ts';

/** Four drums show a whole jug; a longer pour grows another. */
const minDrums = 4;
/** One strip of figures; the drum's window shows one line of it. */
const digitStrip = '0\n1\n2\n3\n4\n5\n6\n7\n8\n9';

/** Figures on drums, as on an old petrol pump. What it shows is what was counted: it never runs ahead. */
export function Odometer({ count }: { readonly count: DrumCount }) {
  const digits = String(count.steps).padStart(Math.max(minDrums, count.decimals + 1), '0');
  const firstActive = Math.min(digits.search(/[1-9]|$/), digits.length - 1 - count.decimals);
  return (
    <span class="odometer">
      <span class="visually-hidden odometer-text">{drumText(count)}</span>
      <span class="drums" aria-hidden="true">
        {[...digits].map((digit, index) => {
          // Counted from the right, so that a drum keeps its place when another joins at the left.
          const fromRight = digits.length - index;
          const isDecimal = fromRight <= count.decimals;
          return (
            <Fragment key={fromRight}>
              {isDecimal && <span class="drum-point">{decimalPoint}</span>}
              <span class="drum" data-idle={index < firstActive} data-decimal={isDecimal}>
                <span class="drum-strip" style={{ '--figure': digit }}>
                  {digitStrip}
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
