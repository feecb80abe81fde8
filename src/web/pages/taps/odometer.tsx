import { Fragment } from 'preact';
import { type DrumCount, decimalPoint, drumText } from '../../app/format.ts';

/** Four drums show 9999 mL; a larger pour adds a drum. */
const minDrums = 4;
/** The digits of a drum; its window shows one line. */
const digitStrip = '0\n1\n2\n3\n4\n5\n6\n7\n8\n9';

/** Mechanical counter like on an old petrol pump. It shows counted ticks only and never extrapolates. */
export function Odometer({ count }: { readonly count: DrumCount }) {
  const digits = String(count.steps).padStart(Math.max(minDrums, count.decimals + 1), '0');
  const firstActive = Math.min(digits.search(/[1-9]|$/), digits.length - 1 - count.decimals);
  return (
    <span class="odometer">
      <span class="visually-hidden odometer-text">{drumText(count)}</span>
      <span class="drums" aria-hidden="true">
        {[...digits].map((digit, index) => {
          // Counted from the right, so that a drum keeps its key when another is added at the left.
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
