/** When a flow ended, also on the monotonic clock, so that the time can be corrected. */
export interface FlowEnd {
  /** Unix milliseconds. */
  readonly atMs: number;
  readonly timeCertain: boolean;
  /** Boot id of the kernel, and time on its monotonic clock; an empty id where both are unknown. */
  readonly clockBoot: string;
  readonly monoMs: number;
}
