/** Store action that sends one call. `ledger`: id of the requirement row that describes the call. */
export interface StoreCall {
  readonly what: string
  readonly ledger: string
  readonly ask: () => unknown
  /** `data` of the responses to the calls that precede this call, by requirement row. */
  readonly before?: Readonly<Record<string, unknown>>
}

/** Call whose failure message is shown in place of a list or a panel. `place` returns that message. */
export interface PanelCall extends StoreCall {
  readonly place: (state: unknown) => unknown
}
