import { appendFileSync, renameSync, statSync } from 'node:fs'

/** Maximum bytes of a log before rotation; the previous log is kept as `.1`. */
const MAX_LOG_BYTES = 20 * 1024 * 1024

/**
 * Rotating log of one process. A full disk does not stop the process: the log counts unwritten lines and reports the
 * count when space is available again.
 */
export class LogFile {
  readonly #path: string
  readonly #maxBytes: number
  #bytes: number
  #unwrittenLines = 0

  /** If the file exists, the log appends to it. `maxBytes`: size at which the log is rotated. */
  constructor(path: string, maxBytes = MAX_LOG_BYTES) {
    this.#path = path
    this.#maxBytes = maxBytes
    this.#bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  }

  write(line: string): void {
    const count = this.#unwrittenLines
    const lines = count === 1 ? '1 line is' : `${count} lines are`
    const missing = count > 0 ? `${lines} missing here because of a write error.\n` : ''
    const text = `${missing}${line}\n`
    try {
      if (this.#bytes >= this.#maxBytes) this.#rotate()
      appendFileSync(this.#path, text, { mode: 0o600 })
      this.#bytes += Buffer.byteLength(text)
      this.#unwrittenLines = 0
    } catch {
      this.#unwrittenLines += 1
    }
  }

  #rotate(): void {
    renameSync(this.#path, `${this.#path}.1`)
    this.#bytes = 0
  }
}
