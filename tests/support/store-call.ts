/** Store action that sends one call. `requirement`: id of the row in `docs/requirements.md` that describes the call. */
export interface StoreCall {
  readonly description: string
  readonly requirement: string
  readonly ask: () => unknown
  /** Response data of the calls that precede this call, by requirement row. */
  readonly before?: Readonly<Record<string, unknown>>
}

/** Call whose failure message replaces a list or a panel. `readFailure` returns that message. */
export interface PanelCall extends StoreCall {
  readonly readFailure: (state: unknown) => unknown
}
