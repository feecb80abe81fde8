/** Where an extension keeps when controllers last reported. */
export interface ControllerReports {
  readonly table: string;
  /** The column with the id of the controller, one row for each. */
  readonly controllerId: string;
  readonly timeMs: string;
}
