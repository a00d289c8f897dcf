import { join } from 'node:path'
import * as v from 'valibot'
import { lenientSettings } from '../../contract/bridge/parse-bridge-messages.ts'
import { DEFAULT_CAMERA_SETTINGS } from '../../contract/cameras/camera-settings.ts'
import { timestampMs } from '../../contract/wire/envelope.ts'
import { lenientRecord, parseJsonAs, lenientObject } from '../../contract/wire/lenient-parse.ts'
import { readSettingsFile, writeFileDurably } from '../runtime/durable-files.ts'

const ownerSettingsSchema = v.object({
  power: v.boolean(),
  /** Start of the current power state, ms UTC by the provider's clock; null if unknown. */
  since: v.nullable(timestampMs),
  rendition: v.nullable(v.string()),
  /** True if the two views of a dual-lens camera are swapped. */
  pip: v.boolean(),
  settings: lenientSettings,
})
export type OwnerSettings = v.InferOutput<typeof ownerSettingsSchema>
const DEFAULT_OWNER_SETTINGS: OwnerSettings = {
  power: true,
  since: null,
  rendition: null,
  pip: false,
  settings: DEFAULT_CAMERA_SETTINGS,
}
const ownerSettingsFileSchema = lenientRecord(lenientObject(ownerSettingsSchema, DEFAULT_OWNER_SETTINGS))

/**
 * Stores the last known owner settings in `DATA/choices.json`: a camera that is off stays off after a restart, even
 * before the bridge has reached the provider.
 */
export class OwnerSettingsStore {
  readonly #path: string
  #settingsByDevice: Record<string, OwnerSettings> = {}
  #lastWrite: Promise<void> = Promise.resolve()

  constructor(data: string) {
    this.#path = join(data, 'choices.json')
  }

  async open(): Promise<void> {
    // Ignore a missing or damaged file, because the provider sends the settings again.
    const content = await readSettingsFile(this.#path).catch(() => null)
    this.#settingsByDevice = parseJsonAs(ownerSettingsFileSchema, content) ?? {}
  }

  get(deviceId: string): OwnerSettings {
    return this.#settingsByDevice[deviceId] ?? DEFAULT_OWNER_SETTINGS
  }

  /**
   * Applies a change and writes the file if something changed. Rejects if the file cannot be written, for example
   * because the disk is full; the change still applies in memory.
   */
  set(deviceId: string, change: Partial<OwnerSettings>): Promise<void> {
    const before = this.get(deviceId)
    const after = { ...before, ...change }
    if (JSON.stringify(before) === JSON.stringify(after)) return Promise.resolve()
    return this.#store({ ...this.#settingsByDevice, [deviceId]: after })
  }

  remove(deviceId: string): Promise<void> {
    const { [deviceId]: removed, ...others } = this.#settingsByDevice
    return removed ? this.#store(others) : Promise.resolve()
  }

  /** Moves a camera's settings to another id. Rejects like `set` if the file cannot be written. */
  move(from: string, to: string): Promise<void> {
    const { [from]: stored, ...others } = this.#settingsByDevice
    return stored ? this.#store({ ...others, [to]: stored }) : Promise.resolve()
  }

  #store(settingsByDevice: Record<string, OwnerSettings>): Promise<void> {
    this.#settingsByDevice = settingsByDevice
    const write = () => writeFileDurably(this.#path, `${JSON.stringify(this.#settingsByDevice)}\n`)
    this.#lastWrite = this.#lastWrite.then(write, write)
    return this.#lastWrite
  }
}
