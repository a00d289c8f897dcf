/** Browser functions that the collector uses, so that it can run without a browser. Times in ms. */
export interface CollectorPorts {
  readonly fetch: typeof fetch
  readonly local: TextStorage
  readonly tab: TextStorage
  readonly cookie: { read(): string; write(text: string): void }
  readonly isSecure: boolean
  now(): number
  randomId(): string
  /** Opens the hidden 1 px frame. Returns a function that removes it. */
  openFrame(src: string): () => void
  /** Listens to messages of other windows. Returns a function that stops it; null if messages are not supported. */
  listen(hear: (message: { origin: string; data: unknown }) => void): (() => void) | null
  /** Calls the task when the page is idle, however long that takes. */
  whenIdle(task: () => void): void
  onLeave(task: () => void): void
  beacon(url: string, form: URLSearchParams): void
  formOf(id: string): HTMLFormElement | null
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
