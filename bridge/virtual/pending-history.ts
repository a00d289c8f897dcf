import { join } from 'node:path'
import { timestampMs } from '../../contract/wire/envelope.ts'
import { lenientRecord, parseJsonAs } from '../../contract/wire/lenient-parse.ts'
import { readSettingsFile, writeFileDurably } from '../runtime/durable-files.ts'

const pendingHistoryFileSchema = lenientRecord(timestampMs)

/**
 * Cameras with an unfinished upload of the demo history, in `DATA/pasts.json`: device id → end of the history, ms UTC.
 * After a crash, the bridge sends the same history again, and the provider skips events that it already has.
 */
export class PendingHistory {
  readonly #path: string

  constructor(data: string) {
    this.#path = join(data, 'pasts.json')
  }

  async getHistoryEnd(deviceId: string): Promise<number | undefined> {
    return (await this.#read())[deviceId]
  }

  async start(deviceId: string, until: number): Promise<void> {
    await this.#write({ ...(await this.#read()), [deviceId]: Math.round(until) })
  }

  async finish(deviceId: string): Promise<void> {
    const { [deviceId]: _, ...others } = await this.#read()
    await this.#write(others)
  }

  async #read(): Promise<Record<string, number>> {
    return parseJsonAs(pendingHistoryFileSchema, await readSettingsFile(this.#path).catch(() => null)) ?? {}
  }

  #write(historyEnds: Record<string, number>): Promise<void> {
    return writeFileDurably(this.#path, `${JSON.stringify(historyEnds)}\n`)
  }
}
