/** What the collector touches of the browser, so that its life can be followed without one. Times in ms. */
export interface CollectorPorts {
  readonly fetch: typeof fetch
  readonly local: KeptText
  readonly tab: KeptText
  /** `document.cookie`, read and written. */
  readonly cookie: { read(): string; write(text: string): void }
  readonly isSecure: boolean
  now(): number
  randomId(): string
  /** Opens the hidden frame of 1 px; the answer takes it away. */
  openFrame(src: string): () => void
  /** Listens to messages of other windows until the answer is called; null where there are none. */
  listen(hear: (message: { origin: string; data: unknown }) => void): (() => void) | null
  /** Calls when the page has nothing else to do, however late that is. */
  whenIdle(task: () => void): void
  /** Calls when the page is left. */
  onLeave(task: () => void): void
  beacon(url: string, form: URLSearchParams): void
  /** The form of this id. */
  formOf(id: string): HTMLFormElement | null
  debug(sentence: string): void
}

/** A storage, as far as it is needed (src/stores/storage/safe-storage.ts). */
export interface KeptText {
  read(key: string): string | null
  write(key: string, value: string): unknown
  remove(key: string): void
}

/** Names under which things are kept (src/stores/storage/analytics-keys.ts). */
export interface CollectorKeys {
  readonly cookie: string
  readonly local: string
  readonly session: string
  readonly due: string
}
