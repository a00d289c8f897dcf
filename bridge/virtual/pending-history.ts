import { join } from 'node:path'
import { ms } from '../../contract/wire/envelope.ts'
import { readableRecord, readJson } from '../../contract/wire/lenient-parse.ts'
import { readSettings, writeFileDurably } from '../runtime/durable-files.ts'

const pastsFile = readableRecord(ms)

/**
 * Cameras whose past was begun and not finished, in `DATA/pasts.json`: device id → the moment that it ends, ms UTC. A bridge
 * that died meanwhile sends the same past again; the provider leaves alone what it has.
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
    return readJson(pastsFile, await readSettings(this.path).catch(() => null)) ?? {}
  }

  private write(pasts: Record<string, number>): Promise<void> {
    return writeFileDurably(this.path, `${JSON.stringify(pasts)}\n`)
  }
}
