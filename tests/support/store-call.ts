/** A store action that sends one call, named by the requirement row of the call. */
export interface StoreCall {
  readonly what: string
  readonly ledger: string
  readonly ask: () => unknown
  /** Responses to earlier calls: the `data` of each, by requirement row. */
  readonly before?: Readonly<Record<string, unknown>>
}

/** Call whose failure is shown in place of a list or a panel. */
export interface PanelCall extends StoreCall {
  readonly place: (state: unknown) => unknown
}
