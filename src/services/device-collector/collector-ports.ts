/** Browser functions that the collector uses, so that it can run without a browser. Times in ms. */
export interface CollectorPorts {
  readonly fetch: typeof fetch
  readonly localStorage: TextStorage
  readonly tabStorage: TextStorage
  readonly cookie: { read(): string; write(text: string): void }
  readonly isSecure: boolean
  now(): number
  randomId(): string
  /** Opens the hidden 1 px frame. Returns a function that removes it. */
  openFrame(src: string): () => void
  /**
   * Listens to messages of other windows. Returns a function that stops listening; null if messages are not supported.
   */
  listen(onMessage: (message: { origin: string; data: unknown }) => void): (() => void) | null
  /** Calls the task when the page is idle, without a timeout. */
  whenIdle(task: () => void): void
  onPageHide(task: () => void): void
  sendBeacon(url: string, form: URLSearchParams): void
  findForm(id: string): HTMLFormElement | null
  debug(sentence: string): void
}

/** Minimal storage interface (src/stores/storage/safe-storage.ts). */
export interface TextStorage {
  read(key: string): string | null
  write(key: string, value: string): unknown
  remove(key: string): void
}

/** Storage keys (src/stores/storage/analytics-keys.ts). */
export interface CollectorKeys {
  readonly cookie: string
  readonly local: string
  readonly session: string
  readonly due: string
}
