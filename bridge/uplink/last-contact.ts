import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { readSettingsFile } from '../runtime/durable-files.ts'

/** Minimum time between two writes, ms. Heartbeats are answered every 10 s, so each answer may cause a write. */
const WRITE_INTERVAL_MS = 9000

/**
 * Time of the last message from the provider, ms UTC by the provider's clock. It survives a power loss, so that the
 * provider learns when the connection ended even if it restarted meanwhile.
 */
export class LastContact {
  readonly #path: string
  #at: number | undefined
  #writtenAt = -Infinity
  #isWriting = false

  constructor(dataFolder: string) {
    this.#path = join(dataFolder, 'last-contact')
  }

  /** Reads the time that the previous start stored. */
  async open(): Promise<void> {
    const text = await readSettingsFile(this.#path).catch(() => '')
    if (/^\d{13}$/.test(text)) this.#at = Number(text)
  }

  /** Undefined before the first contact. */
  get at(): number | undefined {
    return this.#at
  }

  record(now: number): void {
    this.#at = Math.round(now)
    if (this.#isWriting || now - this.#writtenAt < WRITE_INTERVAL_MS) return
    this.#writtenAt = now
    this.#isWriting = true
    /* A full disk must not disturb the connection; the time is then older. */
    void this.#write(String(this.#at))
      .catch(() => undefined)
      .finally(() => (this.#isWriting = false))
  }

  /** Overwrites the digits in place: one block changes, and the file never grows. */
  async #write(text: string): Promise<void> {
    const file = await open(this.#path, constants.O_WRONLY | constants.O_CREAT, 0o600)
    try {
      await file.write(text, 0)
      await file.datasync()
    } finally {
      await file.close()
    }
  }
}
