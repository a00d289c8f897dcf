/** A store action that sends one call, named by the requirement row of the call. */
export interface StoreCall {
  readonly what: string
  readonly ledger: string
  readonly ask: () => unknown
  /** Responses to earlier calls, by their rows: the `data` of each. */
  readonly before?: Readonly<Record<string, unknown>>
}

/** A call whose failure is shown in place of a list or a panel. */
export interface PanelCall extends StoreCall {
  readonly place: (state: unknown) => unknown
}
