import { join } from 'node:path'
import { ms } from '../../contract/wire/envelope.ts'
import { readableRecord, readJson } from '../../contract/wire/lenient-parse.ts'
import { readSettingsFile, writeFileDurably } from '../runtime/durable-files.ts'

const pastsFile = readableRecord(ms)

/**
 * Cameras whose demo history is not completely sent, in `DATA/pasts.json`: device id → end of the history, ms UTC.
 * After a crash, the bridge sends the same history again; the provider skips events that it already has.
 */
export class PendingHistory {
  private readonly path: string

  constructor(data: string) {
    this.path = join(data, 'pasts.json')
  }

  async begunFor(deviceId: string): Promise<number | undefined> {
    return (await this.read())[deviceId]
  }

  async start(deviceId: string, until: number): Promise<void> {
    await this.write({ ...(await this.read()), [deviceId]: Math.round(until) })
  }

  async finish(deviceId: string): Promise<void> {
    const { [deviceId]: _, ...others } = await this.read()
    await this.write(others)
  }

  private async read(): Promise<Record<string, number>> {
    return readJson(pastsFile, await readSettingsFile(this.path).catch(() => null)) ?? {}
  }

  private write(pasts: Record<string, number>): Promise<void> {
    return writeFileDurably(this.path, `${JSON.stringify(pasts)}\n`)
  }
}
