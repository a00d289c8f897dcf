import { appendFileSync, renameSync, statSync } from 'node:fs'

/** Maximum bytes of a log before rotation; the previous log is kept as `.1`. */
const SIZE_MAX = 20 * 1024 * 1024

/**
 * Rotating log of one process. A full disk does not stop the process: the log counts unwritten lines and reports the
 * count when space is available again.
 */
export class LogFile {
  readonly #path: string
  readonly #max: number
  #size: number
  #lost = 0

  /** Appends to an existing file. `max`: bytes per file. */
  constructor(path: string, max = SIZE_MAX) {
    this.#path = path
    this.#max = max
    this.#size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  }

  write(line: string): void {
    const missing = this.#lost > 0 ? `${this.#lost} lines are missing here: they could not be written.\n` : ''
    const text = `${missing}${line}\n`
    try {
      if (this.#size >= this.#max) this.#beginAnew()
      appendFileSync(this.#path, text, { mode: 0o600 })
      this.#size += Buffer.byteLength(text)
      this.#lost = 0
    } catch {
      this.#lost += 1
    }
  }

  #beginAnew(): void {
    renameSync(this.#path, `${this.#path}.1`)
    this.#size = 0
  }
}
