/**
 * The middle value: one interrupted run among five does not move it.
 * @param {readonly number[]} values at least one
 */
export function median(values) {
  const inOrder = values.toSorted((a, b) => a - b);
  const middle = inOrder.length >> 1;
  return inOrder.length % 2 === 1 ? inOrder[middle] : (inOrder[middle - 1] + inOrder[middle]) / 2;
}
