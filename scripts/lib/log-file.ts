import { appendFileSync, renameSync, statSync } from 'node:fs'

/** Bytes after which a log begins anew; the one before is kept as `.1`. */
const SIZE_MAX = 20 * 1024 * 1024

/** The log of a part. A disk without room ends nothing: what could not be written is counted, and the count written once there is room. */
export class LogFile {
  readonly #path: string
  readonly #max: number
  #size: number
  #lost = 0

  /** Goes on with what is there. `max`: bytes of one file. */
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
